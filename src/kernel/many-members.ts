// Objects of very many members. The engine lists the keys of an object all at once, which takes a tenth of a second for some
// hundred thousand, even for a loop that ends after the first. Whoever makes such an object bit by bit notes its keys here.

import type { Json } from './canonical-json.ts';

const notedKeys = new WeakMap<object, readonly string[]>();

/** From so many members on the keys of an object are worth noting. */
export const MANY_MEMBERS = 4096;

/** Its keys, which grow with it: whoever adds a member to it adds the key to them. None is ever taken from it. */
export function noteKeys(object: object, keys: readonly string[]): void {
  notedKeys.set(object, keys);
}

/** All its keys, without listing them where somebody has noted them. */
export const keysOf = (object: object): readonly string[] => notedKeys.get(object) ?? Object.keys(object);

/** An assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
