// Rounding to digits before or after the decimal point, which every engine can do: halves away from zero, towards the
// smaller, or towards the larger number.

import { finite, long } from './conversions.ts';

export type Direction = 'round' | 'floor' | 'ceil';

export const awayFromZero = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

export const MAX_DIGITS = 18;

/** `n * 10^digits` cut to a whole number, `/ 10^digits`, with the type of n; null outside of the digits and of longs. */
export function cutNumber(n: bigint | number, digits: number, direction: Direction): bigint | number | null {
  if (Math.abs(digits) > MAX_DIGITS) return null;
  if (typeof n === 'bigint') return digits >= 0 ? n : cutLong(n, 10n ** BigInt(-digits), direction);
  // Powers of ten are parsed from text, so that they are exact where possible.
  const power = Number(`1e${Math.abs(digits)}`);
  return finite(digits < 0 ? cutDouble(n / power, direction) * power : cutDouble(n * power, direction) / power);
}

function cutLong(n: bigint, unit: bigint, direction: Direction): bigint | null {
  const rest = n % unit;
  const size = rest < 0n ? -rest : rest;
  const isMoved =
    direction === 'round' ? size * 2n >= unit : rest !== 0n && (direction === 'floor' ? rest < 0n : rest > 0n);
  return long(n - rest + (isMoved ? (rest < 0n ? -unit : unit) : 0n));
}

/** So that 4.35 with two digits stays 4.35, whose product with 100 is slightly smaller than 435. */
const TOLERANCE = 1e-9;

function cutDouble(scaled: number, direction: Direction): number {
  const nearest = awayFromZero(scaled);
  if (direction === 'round' || Math.abs(scaled - nearest) < TOLERANCE * Math.abs(scaled)) return nearest;
  return direction === 'floor' ? Math.floor(scaled) : Math.ceil(scaled);
}
