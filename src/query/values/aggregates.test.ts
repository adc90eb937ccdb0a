// Aggregates and the order of values on both evaluators, over groups of values from the pool.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregates } from '#query/functions/index.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { aggregateLocally, DuckdbRows, isSame, plannedAggregate, type TestRow } from '#test/support/expressions.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import { poolValues } from '#test/support/value-pools.ts';
import { textOf } from './conversions.ts';
import { compareValues } from './order.ts';

/** Calls of the aggregates that take further arguments; `y` is a second column. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  count: ['count', 'count(x)'],
  values: ['values(x)', 'values(x, 3)'],
  array: ['array(x)', 'array(x, 2)'],
  percentile: ['25', '90, "lower"', '90, "higher"', '50, "nearest"', '33, "midpoint"'].map(
    (more) => `percentile(x, ${more})`,
  ),
  corr: ['corr(x, y)'],
  cov: ['cov(x, y)'],
  slope: ['slope(x, y)'],
};

const TYPES: readonly ColumnType[] = ['bool', 'long', 'double', 'date', 'string', 'list', 'map', 'binary', 'any'];

/** The language does not define which of equal values of several types is the result, 1 or 1.0. */
const isEquivalent = (left: Value, right: Value) =>
  isSame(left, right) || (left !== null && right !== null && compareValues(left, right, EXAMPLE_ZONE) === 0);

/**
 * The last digits of a sum of doubles depend on the order of addition, and cancellation can make that difference large.
 */
const isSummable = (value: Value) =>
  typeof value !== 'number' || (Math.abs(value) < 1e9 && Math.abs(value) >= 1e-3) || value === 0;
const isSummableLong = (value: Value) => typeof value !== 'bigint' || (value < 10n ** 9n && value > -(10n ** 9n));
const NUMERIC = new Set(['sum', 'avg', 'stddev', 'var', 'median', 'percentile', 'corr', 'cov', 'slope']);

describe('Aggregates', () => {
  /** Groups of a pool are the same for all aggregates that take its values, and so are their tables. */
  const made = new Map<string, Map<readonly TestRow[], Promise<DuckdbRows>>>();
  const groupsOf = (type: ColumnType, pool: readonly Value[]) => {
    const key = `${type} ${pool.length}`;
    const known = made.get(key);
    if (known) return known;
    const sampled = fc.sample(
      fc.array(fc.record({ x: fc.constantFrom(...pool), y: fc.constantFrom(...pool) }), { maxLength: 9 }),
      { numRuns: 4, seed: FUZZ_SEED },
    );
    const groups = new Map([[], ...sampled].map((rows) => [rows, DuckdbRows.open(columnsOf(type), rows)]));
    made.set(key, groups);
    return groups;
  };

  for (const { name } of aggregates) {
    for (const text of CALLS[name] ?? [`${name}(x)`]) {
      it(`${text} give the same result on both evaluators`, async () => {
        for (const type of TYPES) {
          const pool = poolValues(type).filter(
            (value) => !NUMERIC.has(name) || (isSummable(value) && isSummableLong(value)),
          );
          for (const [rows, table] of groupsOf(type, pool)) await compare(text, type, rows, table);
        }
      });
    }
  }

  it('sum longs exactly, and give null beyond 64 bits', async () => {
    const large = 2n ** 62n;
    await compare('sum(x)', 'long', [{ x: large }, { x: 1n }, { x: -large }]);
    await compare('sum(x)', 'long', [{ x: large }, { x: large }]);
    await compare('sum(x)', 'any', [{ x: large }, { x: `${large}` }]);
    await compare('sum(x)', 'any', [{ x: large }, { x: 1n }, { x: '1' }]);
  });

  it.each(['percentile(x, 10)', 'median(x)', 'percentile(x, 10, "midpoint")'])(
    '%s lies between the largest and the smallest number',
    async (text) => {
      await compare(text, 'any', [{ x: Number.MAX_VALUE }, { x: -Number.MAX_VALUE }]);
      await compare(text, 'double', [{ x: Number.MAX_VALUE }, { x: -Number.MAX_VALUE }, { x: 1 }]);
    },
  );
});

const columnsOf = (type: ColumnType) => [
  { name: 'x', type },
  { name: 'y', type },
];

async function compare(
  text: string,
  type: ColumnType,
  rows: readonly TestRow[],
  table = DuckdbRows.open(columnsOf(type), rows),
): Promise<void> {
  const call = plannedAggregate(text, columnsOf(type));
  const duckdb = await table;
  const found = await duckdb.aggregate(call);
  const wanted = aggregateLocally(call, rows);
  const shown = (value: Value) => `${textOf(value, 'UTC')}`;
  if (!isEquivalent(found, wanted))
    expect([text, type, rows.map(({ x = null }) => shown(x)), shown(found)]).toBe(shown(wanted));
}

describe('The order of values', () => {
  it.each(TYPES)('sorts %s alike', async (type) => {
    const values = fc.sample(fc.shuffledSubarray([...poolValues(type)]), { numRuns: 3, seed: FUZZ_SEED });
    for (const some of values) {
      const duckdb = await DuckdbRows.open(
        [{ name: 'x', type }],
        some.map((x) => ({ x })),
      );
      const wanted = [...some].sort((left, right) => compareValues(left, right, EXAMPLE_ZONE));
      const found = await duckdb.sorted('x');
      expect(found.map((value) => textOf(value, 'UTC'))).toEqual(wanted.map((value) => textOf(value, 'UTC')));
    }
  });
});
