// How large a JSON value is as text, found out without looking at more of it than matters.

import type { Json } from './canonical-json.ts';
import { isRawNumber } from './exact-json.ts';
import { attachKeys, keysOf, MIN_LARGE_MEMBERS, setMember } from './large-objects.ts';

/** Whether its JSON text, with doubles for all numbers and without blanks, has at most so many bytes in UTF-8. */
export const isWithinBytes = (value: Json, mostBytes: number): boolean =>
  roundNumbersWithin(value, mostBytes) !== undefined;

/**
 * With doubles for all numbers; undefined when its JSON text, without blanks, has more bytes in UTF-8. What has none but
 * doubles is left as it is.
 */
export function roundNumbersWithin(value: Json, mostBytes: number): Json | undefined {
  const room = { bytes: mostBytes };
  const own = rounded(value, room);
  return room.bytes < 0 ? undefined : own;
}

/** What is left of the room; negative when it is too small, and nothing more is looked at then. */
interface Room {
  bytes: number;
}

type JsonObject = { readonly [key: string]: Json };

function rounded(value: Json, room: Room): Json {
  if (typeof value === 'string') {
    takeText(value, room);
    return value;
  }
  if (value !== null && typeof value === 'object' && !isRawNumber(value)) {
    // Array.isArray does not narrow a readonly array away.
    return Array.isArray(value) ? roundedItems(value, room) : roundedMembers(value as JsonObject, room);
  }
  const own = isRawNumber(value) ? Number(JSON.stringify(value)) : value;
  room.bytes -= JSON.stringify(own).length;
  return own;
}

function takeText(text: string, room: Room): void {
  room.bytes = text.length > room.bytes ? -1 : room.bytes - Buffer.byteLength(JSON.stringify(text));
}

function roundedItems(items: readonly Json[], room: Room): Json {
  // The two brackets, and a comma for each element but the first.
  room.bytes -= 1 + Math.max(items.length, 1);
  let changed: Json[] | undefined;
  for (const [at, item] of items.entries()) {
    if (room.bytes < 0) return items;
    const own = rounded(item, room);
    if (own === item) continue;
    changed ??= [...items];
    changed[at] = own;
  }
  return changed ?? items;
}

function roundedMembers(members: JsonObject, room: Room): Json {
  const keys = keysOf(members);
  // The two braces, and a comma for each member but the first.
  room.bytes -= 1 + Math.max(keys.length, 1);
  let changed: Record<string, Json> | undefined;
  for (const key of keys) {
    if (room.bytes < 0) return members;
    takeText(key, room);
    room.bytes -= 1;
    const member = members[key] ?? null;
    const own = rounded(member, room);
    if (own === member) continue;
    changed ??= copyOf(members, keys);
    changed[key] = own;
  }
  return changed ?? members;
}

/** One by one where there are many: a spread takes three times as long for these. */
function copyOf(members: JsonObject, keys: readonly string[]): Record<string, Json> {
  if (keys.length < MIN_LARGE_MEMBERS) return { ...members };
  const copy: Record<string, Json> = {};
  for (const key of keys) setMember(copy, key, members[key] ?? null);
  attachKeys(copy, keys);
  return copy;
}
