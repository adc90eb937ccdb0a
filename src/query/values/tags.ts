// Dates and binaries inside JSON (15.5): objects of one member, `{"$date": ms}` and `{"$binary": base64}`. Anyone can send
// a record that holds such an object, or almost one: only what is exactly one counts, on every engine.

import type { Value } from '#query/model/values.ts';
import { instantOf } from './dates.ts';

/** Unused bits of the last character are zero. */
export const BASE64 = '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?';

/** As many digits as a date can have. */
export const DATE_DIGITS = '-?[0-9]{1,15}';

const WHOLE_BASE64 = new RegExp(`^${BASE64}$`);

export const isBase64 = (text: string): boolean => WHOLE_BASE64.test(text);

const MAX_DATE = 10n ** 15n;

/** What an object stands for; `members` counts equal names, too. */
export function untagged(map: ReadonlyMap<string, Value>, members: number): Value {
  if (members !== 1) return map;
  const date = map.get('$date');
  if (typeof date === 'bigint' && date > -MAX_DATE && date < MAX_DATE) return instantOf(Number(date)) ?? map;
  const binary = map.get('$binary');
  return typeof binary === 'string' && isBase64(binary) ? Uint8Array.fromBase64(binary) : map;
}

/** The map of a place where only maps are, such as the overflow of a row: what was taken for a date or binary is none. */
export function mapOf(value: Value): ReadonlyMap<string, Value> {
  if (value instanceof Map) return value;
  if (value instanceof Temporal.Instant) return new Map([['$date', BigInt(value.epochMilliseconds)]]);
  return new Map(value instanceof Uint8Array ? [['$binary', value.toBase64()]] : []);
}
