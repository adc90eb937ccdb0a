// How large a JSON value is as text, found out without writing more of it than matters.

import type { Json } from './canonical-json.ts';
import { isRawNumber } from './exact-json.ts';

/** Whether its JSON text, without blanks, has at most so many bytes in UTF-8. */
export function isWithinBytes(value: Json, mostBytes: number): boolean {
  return leftOf(value, mostBytes) >= 0;
}

/** What is left of so many bytes; negative when that is too little. */
function leftOf(value: Json, bytes: number): number {
  if (typeof value === 'string') return value.length > bytes ? -1 : bytes - Buffer.byteLength(JSON.stringify(value));
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return bytes - JSON.stringify(value).length;
  return Array.isArray(value) ? leftOfArray(value, bytes) : leftOfObject(value as JsonObject, bytes);
}

type JsonObject = { readonly [key: string]: Json }; // Array.isArray does not narrow a readonly array away.

/** The two brackets, and a comma for each element but the first. */
function leftOfArray(items: readonly Json[], bytes: number): number {
  let left = bytes - 1 - Math.max(items.length, 1);
  for (const item of items) {
    if (left < 0) return left;
    left = leftOf(item, left);
  }
  return left;
}

function leftOfObject(members: JsonObject, bytes: number): number {
  let left = bytes - 2;
  let comma = 0;
  for (const key in members) {
    if (left < 0) return left;
    left = leftOf(members[key] ?? null, leftOf(key, left - comma) - 1);
    comma = 1;
  }
  return left;
}
