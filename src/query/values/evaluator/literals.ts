// Comparison with a constant (4.2, 4.3): the conversions of the constant are computed once, before the first row.

import type { Value } from '#query/model/values.ts';
import { boolOfText, numberOfText } from '#query/values/conversions.ts';
import { timeTextOf } from '#query/values/dates/dates.ts';
import { compareForLess, equals } from '#query/values/equality.ts';
import { compareText } from '#query/values/order-text.ts';

/** True if the value equals the constant; null equals nothing. */
export function equalsConstant(constant: Value, zone: string): (value: Value) => boolean {
  if (constant === null) return () => false;
  if (typeof constant === 'string') return equalsText(constant, zone);
  if (typeof constant === 'bigint' || typeof constant === 'number') {
    return (value) => {
      if (typeof value === 'bigint' || typeof value === 'number') return isEqual(value, constant);
      const number = typeof value === 'string' ? numberOfText(value) : null;
      return number !== null && isEqual(number, constant);
    };
  }
  if (typeof constant === 'boolean') {
    return (value) => value === constant || (typeof value === 'string' && boolOfText(value) === constant);
  }
  return (value) => equals(value, constant, zone);
}

function equalsText(constant: string, zone: string): (value: Value) => boolean {
  const number = numberOfText(constant);
  const bool = boolOfText(constant);
  const date = timeTextOf(constant, zone);
  return (value) => {
    if (typeof value === 'string') return value === constant;
    if (typeof value === 'bigint' || typeof value === 'number') return number !== null && isEqual(value, number);
    if (typeof value === 'boolean') return value === bool;
    return value instanceof Temporal.Instant && date !== null && value.equals(date);
  };
}

/** Compares a long and a double by value. */
const isEqual = (left: bigint | number, right: bigint | number): boolean =>
  typeof left === typeof right ? left === right : !(left < right) && !(left > right);

/** The order of the value relative to the constant: negative, positive or 0; null if the two cannot be compared. */
export function orderToConstant(constant: Value, zone: string): (value: Value) => number | null {
  if (typeof constant === 'bigint' || typeof constant === 'number') {
    return (value) => {
      if (typeof value === 'bigint' || typeof value === 'number') return sign(value, constant);
      const number = typeof value === 'string' ? numberOfText(value) : null;
      return number === null ? null : sign(number, constant);
    };
  }
  if (typeof constant !== 'string') return (value) => compareForLess(value, constant, zone);
  const number = numberOfText(constant);
  return (value) => {
    if (typeof value === 'string') return compareText(value, constant);
    if (typeof value === 'bigint' || typeof value === 'number') return number === null ? null : sign(value, number);
    return compareForLess(value, constant, zone);
  };
}

const sign = (left: bigint | number, right: bigint | number): number => (left < right ? -1 : left > right ? 1 : 0);
