// The total order of values (3.4) for sorting, min, max, grouping and values.

import { typeOf, type Value, type ValueType } from '#query/model/values.ts';
import { sortedJson } from './conversions.ts';
import { compareText } from './order-text.ts';

const RANKS: Readonly<Record<ValueType, number>> = {
  null: 0,
  bool: 1,
  long: 2,
  double: 2,
  date: 3,
  string: 4,
  list: 5,
  map: 6,
  binary: 7,
};

export const rankOf = (value: Value): number => RANKS[typeOf(value)];

/** Negative, positive or 0; nulls first. */
export function compareValues(left: Value, right: Value, zone: string): number {
  const ranks = rankOf(left) - rankOf(right);
  return ranks === 0 ? compareAlike(left, right, zone) : ranks;
}

/** Compares two values of the same rank. */
export function compareAlike(left: Value, right: Value, zone: string): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean') return Number(left) - Number(right);
  if (left instanceof Temporal.Instant && right instanceof Temporal.Instant)
    return Temporal.Instant.compare(left, right);
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right, zone);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left === null) return 0;
  return compareText(sortedJson(left, zone), sortedJson(right, zone));
}

const isNumber = (value: Value): value is bigint | number => typeof value === 'bigint' || typeof value === 'number';

function compareLists(left: readonly Value[], right: readonly Value[], zone: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const order = compareValues(left[at] ?? null, right[at] ?? null, zone);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The smallest (sign 1) or largest (sign -1) value, the first of equal ones; nulls are ignored. */
export function extreme(values: readonly Value[], sign: 1 | -1, zone: string): Value {
  let found: Value = null;
  for (const value of values) {
    if (value === null) continue;
    if (found === null || compareValues(value, found, zone) * sign < 0) found = value;
  }
  return found;
}

/** A text that is equal exactly for values of one group. */
export function groupKey(value: Value, zone: string): string {
  if (typeof value === 'string') return `s${value}`;
  // String() rounds the digits of a double above 2^53; as a BigInt it is written with all of them.
  if (isNumber(value)) return `n${Number.isInteger(value) ? BigInt(value) : value}`;
  if (value instanceof Temporal.Instant) return `d${value.epochMilliseconds}`;
  if (Array.isArray(value))
    return `l${value
      .map((item: Value) => groupKey(item, zone))
      .map((key) => `${key.length}:${key}`)
      .join('')}`;
  if (value instanceof Map) return `m${sortedJson(value, zone)}`;
  return value instanceof Uint8Array ? `b${value.toHex()}` : String(value);
}

/** The first of equal values (3.4), in their order. */
export function distinct(values: readonly Value[], zone: string): Value[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = groupKey(value, zone);
    return !seen.has(key) && seen.add(key);
  });
}
