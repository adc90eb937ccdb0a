// The limit of the elements that the lists of one row may make together: DuckDB and the local evaluator end the same rows with
// 93010.

import { beforeAll, describe, expect, it } from 'vitest';
import { failureIn, isSizeError } from '#query/values/failures.ts';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';

const columns = [
  { name: 's', type: 'string' },
  { name: 'l', type: 'list' },
  { name: 'a', type: 'any' },
  { name: 'two', type: 'list' },
  { name: 'none', type: 'any' },
  { name: 'null_text', type: 'string' },
] as const;

/** A thousand elements, texts and longs. */
const list = Array.from({ length: 1000 }, (_, at) => (at % 3 === 0 ? `${at}` : BigInt(at)));
const rows = [{ s: ','.repeat(999), l: list, a: list, two: [1n, 2n], none: [] }];

let duckdb: DuckdbRows;

beforeAll(async () => {
  duckdb = await DuckdbRows.open(columns, rows);
});

const codeOf = async (work: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return failureIn(String(error))?.code;
  }
};

describe('The elements of one row', () => {
  it.each([
    ['foreach(foreach(1, l), l)'],
    ['foreach(len(split(s, ",")), l)'],
    ['foreach(len(split(s, ",", 1000)), a)'],
    ['foreach(len(zip(l, a)), a, l)'],
    ['len(foreach(foreach(if(_1 == 1, foreach(_1, array(1)), 2), l), a))'],
    ['foreach(foreach(foreach(_1, null), l), l)'],
    ['foreach(len(split(s, ",", 2)), foreach(_1, l))'],
    ['split(null_text, ",", 9223372036854775807)'],
    ['foreach(_1, none)'],
    ['foreach(_2, none, 1)'],
    ['foreach(concat(_1, "-", _2), array(1, null, "x"), 7)'],
    ['foreach(_3, l, array(1), a)'],
    ['zip(l, array(1, null), none)'],
    ['zip(array(null), a)'],
    ['zip(a, s)'],
    ['foreach(_1, s)'],
    ['foreach(_1, array(null, 1))'],
  ])('are made of %s', async (text) => {
    const expression = planned(text, columns);
    const [found] = await duckdb.values(expression);
    const [wanted] = evaluateLocally(expression, rows);
    expect(isSame(found ?? null, wanted ?? null)).toBe(true);
  });

  it.each([
    ['foreach(foreach(1, l, array(1)), l, s)', 'foreach(foreach(1, l), l, foreach(1, flatten(array(l, 1))))'],
    ['split in foreach', 'foreach(len(split(concat(s, ","), ",")), l)'],
    ['split with a number in foreach', 'foreach(len(split(concat(s, ","), ",", 1001)), l)'],
    ['split by a computed delimiter in foreach', 'foreach(len(split(concat(s, ",,"), left(s, 1))), l)'],
    ['zip in foreach', 'foreach(len(zip(l, flatten(array(a, a)))), l)'],
    ['three times foreach', 'foreach(foreach(foreach(1, l), l), l)'],
    ['foreach of other elements', 'foreach(foreach(foreach(_1, two), l), l)'],
    ['foreach that only a condition hides', 'foreach(foreach(if(_1 == 2, foreach(_1, two), 2), l), l)'],
  ])('are too many: %s', async (_, text) => {
    const expression = planned(text, columns);
    expect(await codeOf(async () => await duckdb.values(expression))).toBe(93010);
    expect(await codeOf(async () => evaluateLocally(expression, rows))).toBe(93010);
  });

  it('include repeated copies of a list', async () => {
    expect(await codeOf(async () => await duckdb.values(planned('foreach(foreach(l, l), l)', columns)))).toBe(93010);
  });

  it('are limited in their total length', async () => {
    const more = 'flatten(foreach(l, array(1, 2, 3, 4, 5, 6, 7, 8)))';
    const text = 'replace(s, ",", lpad("", 50, s))';
    const failure = await duckdb.values(planned(`foreach(${text}, ${more})`, columns)).catch((error: unknown) => error);
    expect(isSizeError(String(failure))).toBe(true);
  });
});
