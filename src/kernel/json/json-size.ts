// The size of a JSON value as text, measured only as far as the limit.

import type { Json } from './canonical-json.ts';
import { isRawNumber } from './exact-json.ts';
import { attachKeys, keysOf, MIN_LARGE_MEMBERS, setMember } from './large-objects.ts';

/**
 * Whether the JSON text of the value, with doubles for all numbers and without blanks, has at most `maxBytes` bytes in
 * UTF-8.
 */
export const isWithinBytes = (value: Json, maxBytes: number): boolean =>
  roundNumbersWithin(value, maxBytes) !== undefined;

/**
 * The value with doubles for all numbers, copied only where a number changes; undefined when its JSON text, without
 * blanks, exceeds `maxBytes` bytes in UTF-8.
 */
export function roundNumbersWithin(value: Json, maxBytes: number): Json | undefined {
  const remaining = { bytes: maxBytes };
  const own = roundNumbers(value, remaining);
  return remaining.bytes < 0 ? undefined : own;
}

/** Bytes left; negative once the limit is exceeded, which ends the measurement. */
interface Remaining {
  bytes: number;
}

type JsonObject = { readonly [key: string]: Json };

function roundNumbers(value: Json, remaining: Remaining): Json {
  if (typeof value === 'string') {
    subtractText(value, remaining);
    return value;
  }
  if (value !== null && typeof value === 'object' && !isRawNumber(value)) {
    // Array.isArray does not narrow a readonly array away.
    return Array.isArray(value) ? roundItems(value, remaining) : roundMembers(value as JsonObject, remaining);
  }
  const own = isRawNumber(value) ? Number(JSON.stringify(value)) : value;
  remaining.bytes -= JSON.stringify(own).length;
  return own;
}

function subtractText(text: string, remaining: Remaining): void {
  remaining.bytes = text.length > remaining.bytes ? -1 : remaining.bytes - Buffer.byteLength(JSON.stringify(text));
}

function roundItems(items: readonly Json[], remaining: Remaining): Json {
  // The two brackets, and a comma for each element but the first.
  remaining.bytes -= 1 + Math.max(items.length, 1);
  let changed: Json[] | undefined;
  for (const [at, item] of items.entries()) {
    if (remaining.bytes < 0) return items;
    const own = roundNumbers(item, remaining);
    if (own === item) continue;
    changed ??= [...items];
    changed[at] = own;
  }
  return changed ?? items;
}

function roundMembers(members: JsonObject, remaining: Remaining): Json {
  const keys = keysOf(members);
  // The two braces, and a comma for each member but the first.
  remaining.bytes -= 1 + Math.max(keys.length, 1);
  let changed: Record<string, Json> | undefined;
  for (const key of keys) {
    if (remaining.bytes < 0) return members;
    subtractText(key, remaining);
    remaining.bytes -= 1;
    const member = members[key] ?? null;
    const own = roundNumbers(member, remaining);
    if (own === member) continue;
    changed ??= copyOf(members, keys);
    changed[key] = own;
  }
  return changed ?? members;
}

/** Member by member for large objects: a spread takes three times as long. */
function copyOf(members: JsonObject, keys: readonly string[]): Record<string, Json> {
  if (keys.length < MIN_LARGE_MEMBERS) return { ...members };
  const copy: Record<string, Json> = {};
  for (const key of keys) setMember(copy, key, members[key] ?? null);
  attachKeys(copy, keys);
  return copy;
}
