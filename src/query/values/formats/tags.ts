// Dates and binaries inside JSON (15.5): objects of one member, `{"$date": ms}` and `{"$binary": base64}`. A client can
// send such an object, or a similar one, in a record: only an exact form counts, on every engine.

import type { Value } from '#query/model/values.ts';
import { instantOf } from '#query/values/dates/dates.ts';

/** The unused bits of the last character are zero. */
export const BASE64 = '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?';

/** The digits of any date fit. */
export const DATE_DIGITS = '-?[0-9]{1,15}';

const WHOLE_BASE64 = new RegExp(`^${BASE64}$`);

export const isBase64 = (text: string): boolean => WHOLE_BASE64.test(text);

const MAX_DATE = 10n ** 15n;

/** The value of an object, with tags resolved; `members` includes equal names. */
export function untagged(map: ReadonlyMap<string, Value>, members: number): Value {
  if (members !== 1) return map;
  const date = map.get('$date');
  if (typeof date === 'bigint' && date > -MAX_DATE && date < MAX_DATE) return instantOf(Number(date)) ?? map;
  const binary = map.get('$binary');
  return typeof binary === 'string' && isBase64(binary) ? Uint8Array.fromBase64(binary) : map;
}

/**
 * The map of a value that can only be a map, such as the overflow of a row: a date or binary is turned back into its
 * object.
 */
export function mapOf(value: Value): ReadonlyMap<string, Value> {
  if (value instanceof Map) return value;
  if (value instanceof Temporal.Instant) return new Map([['$date', BigInt(value.epochMilliseconds)]]);
  return new Map(value instanceof Uint8Array ? [['$binary', value.toBase64()]] : []);
}
