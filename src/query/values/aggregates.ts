// Aggregates (10) over the values of one group, in the order of its rows.

import type { Value } from '#query/model/values.ts';
import { finite, long } from './conversions.ts';
import { RunFailure } from './failures.ts';

export const MAX_LIST = 1_000_000;

type Rows = readonly (readonly Value[])[];

/** The first arguments that are not null. */
export const present = (rows: Rows): Value[] => rows.map(([value = null]) => value).filter((value) => value !== null);

export const presentNumbers = (rows: Rows): (bigint | number)[] =>
  present(rows).filter((value) => typeof value === 'bigint' || typeof value === 'number');

const asDoubles = (numbers: readonly (bigint | number)[]): number[] => numbers.map(Number);

/** A long if all numbers are longs, null beyond 64 bits; a single double makes the sum a double. */
export function sum(numbers: readonly (bigint | number)[]): Value {
  if (numbers.every((value) => typeof value === 'bigint')) {
    return long(numbers.reduce((total: bigint, value) => total + value, 0n));
  }
  return finite(total(asDoubles(numbers)));
}

const total = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const mean = (values: readonly number[]): number => total(values) / values.length;

export const average = (numbers: readonly (bigint | number)[]): Value =>
  numbers.length === 0 ? null : finite(mean(asDoubles(numbers)));

/** Squares of larger numbers may overflow a double, which ends a query in DuckDB, so no engine computes with them. */
export const MAX_SQUARED = 1e150;

const isSquarable = (value: number): boolean => Math.abs(value) < MAX_SQUARED;

export function variance(numbers: readonly (bigint | number)[]): number | null {
  const values = asDoubles(numbers);
  if (values.length === 0 || !values.every(isSquarable)) return null;
  const middle = mean(values);
  return finite(total(values.map((value) => (value - middle) ** 2)) / values.length);
}

export function deviation(numbers: readonly (bigint | number)[]): number | null {
  const found = variance(numbers);
  return found === null ? null : Math.sqrt(found);
}

type PercentileMethod = 'linear' | 'lower' | 'higher' | 'nearest' | 'midpoint';

/** By value; of a long and a double of one value the long comes first. */
function compareNumbers(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1;
  return left > right ? 1 : Number(typeof left === 'number') - Number(typeof right === 'number');
}

/** The number at position (k - 1) * p / 100 of k sorted numbers. What is chosen from the data is returned as it is. */
export function percentile(numbers: readonly (bigint | number)[], percent: number, method: PercentileMethod): Value {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted(compareNumbers);
  const position = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(position);
  const before = sorted[below] ?? 0;
  const after = sorted[Math.ceil(position)] ?? before;
  if (method === 'lower') return before;
  if (method === 'higher') return after;
  if (method === 'nearest') return position - below <= 0.5 ? before : after;
  const low = Number(before);
  const high = Number(after);
  if (low === high) return low;
  const share = method === 'midpoint' ? 0.5 : position - below;
  // The distance of two huge numbers is no double, a number between them is; DuckDB weighs both ends.
  if (!Number.isFinite(high - low)) return finite(low * (1 - share) + high * share);
  return finite(low + (high - low) * share);
}

export const bothNumbers = (rows: Rows): Rows => rows.filter(([x = null, y = null]) => x !== null && y !== null);

interface Regression {
  readonly intercept: Value;
  readonly r2: Value;
  readonly stderr: Value;
}

/** The line of least squares through the pairs; stderr is that of its residuals. */
export function regression(rows: Rows): Regression {
  const { xs, ys } = pairs(rows);
  const b = covarianceOf(xs, ys) / covarianceOf(xs, xs);
  const a = mean(ys) - b * mean(xs);
  const squares = total(xs.map((x, index) => ((ys[index] ?? 0) - a - b * x) ** 2));
  const r = correlation(rows);
  return {
    intercept: finite(a),
    r2: typeof r === 'number' ? r ** 2 : null,
    stderr: xs.length < 3 ? null : finite(Math.sqrt(squares / (xs.length - 2))),
  };
}

/** The pairs in which both values are numbers that can be squared. */
function pairs(rows: Rows): { xs: number[]; ys: number[] } {
  const both = rows
    .filter(([x = null, y = null]) => x !== null && y !== null)
    .map(([x, y]) => [Number(x), Number(y)] as const)
    .filter((pair) => pair.every(isSquarable));
  return { xs: both.map(([x]) => x), ys: both.map(([, y]) => y) };
}

function covarianceOf(xs: readonly number[], ys: readonly number[]): number {
  const x = mean(xs);
  const y = mean(ys);
  return total(xs.map((value, index) => (value - x) * ((ys[index] ?? 0) - y))) / xs.length;
}

export function covariance(rows: Rows): Value {
  const { xs, ys } = pairs(rows);
  return xs.length === 0 ? null : finite(covarianceOf(xs, ys));
}

export function correlation(rows: Rows): Value {
  const { xs, ys } = pairs(rows);
  const spread = Math.sqrt(covarianceOf(xs, xs)) * Math.sqrt(covarianceOf(ys, ys));
  return finite(covarianceOf(xs, ys) / spread);
}

export function slope(rows: Rows): Value {
  const { xs, ys } = pairs(rows);
  return finite(covarianceOf(xs, ys) / covarianceOf(xs, xs));
}

/** At most `most` values if the call has that argument; otherwise more than the limit end the run. */
export function capped(values: readonly Value[], most: Value | undefined): Value {
  if (typeof most === 'bigint') return values.slice(0, Number(most));
  if (values.length > MAX_LIST) throw new RunFailure(93011, MAX_LIST);
  return values;
}
