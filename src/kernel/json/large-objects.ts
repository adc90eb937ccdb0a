// Objects of very many members. V8 lists all keys of an object at once, which takes a tenth of a second for some hundred
// thousand, even for a loop that ends after the first. A parser that makes such an object attaches its keys to it.

import type { Json } from './canonical-json.ts';

/** Not enumerable, so that copies, comparisons and JSON text of the object do not show it. */
const KEYS = Symbol('keys');

/** From this many members on, keys are attached. */
export const MIN_LARGE_MEMBERS = 4096;

/** A member that comes later is told with `addKey`. No member is ever removed. */
export function attachKeys(object: object, keys: readonly string[]): void {
  Object.defineProperty(object, KEYS, { value: keys });
}

/** Attaches a further key, before its member is set. */
export function addKey(object: { [KEYS]?: string[] }, key: string): void {
  if (!Object.hasOwn(object, key)) object[KEYS]?.push(key);
}

/** All keys of `object`: the attached ones where there are any, without listing them. */
export const keysOf = (object: { readonly [KEYS]?: readonly string[] }): readonly string[] =>
  object[KEYS] ?? Object.keys(object);

/** An assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
