// Whether two results are the same rows, in order or as bags.

import type { Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';

export type Row = ReadonlyMap<string, Value>;

/** Whole numbers exactly, fractions within 1e-9. Of values that are one group either may be shown, 1 or 1.0. */
function isAlike(left: Value, right: Value): boolean {
  if (isNumber(left) && isNumber(right)) {
    if (typeof left === 'bigint' && typeof right === 'bigint') return left === right;
    const a = Number(left);
    const b = Number(right);
    return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item: Value, at) => isAlike(item, right[at] ?? null));
  }
  if (left instanceof Map && right instanceof Map) {
    return (
      left.size === right.size &&
      [...left].every(([key, item]) => right.has(key) && isAlike(item, right.get(key) ?? null))
    );
  }
  return taggedJson(left) === taggedJson(right);
}

const isNumber = (value: Value): value is bigint | number => typeof value === 'bigint' || typeof value === 'number';

/** Fields that are null may be there or not. */
const isSameRow = (left: Row, right: Row): boolean =>
  [...new Set([...left.keys(), ...right.keys()])].every((name) =>
    isAlike(left.get(name) ?? null, right.get(name) ?? null),
  );

export function areSameRows(left: readonly Row[], right: readonly Row[], isOrdered: boolean): boolean {
  if (left.length !== right.length) return false;
  if (isOrdered) return left.every((row, at) => isSameRow(row, right[at] ?? new Map()));
  const rest = Map.groupBy(right, roughly);
  return left.every((row) => {
    const alike = rest.get(roughly(row)) ?? [];
    const at = alike.findIndex((other) => isSameRow(row, other));
    if (at !== -1) alike.splice(at, 1);
    return at !== -1;
  });
}

/** The same of rows that are the same: only few rows are then compared with each other. */
const roughly = (row: Row): string =>
  JSON.stringify(
    [...row]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'string' ? value : ''])
      .sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );

export const rowsShown = (rows: readonly Row[]): string =>
  rows.length === 0 ? '    none' : rows.map((row) => `    ${taggedJson(new Map(row))}`).join('\n');
