// Generated groups: every aggregate over values of one type and of many, on DuckDB and locally.

import fc from 'fast-check';
import type { ColumnType, Value } from '#query/model/values.ts';
import { typeOf } from '#query/model/values.ts';
import { numberOf, textOf } from '#query/values/conversions.ts';
import { compareValues } from '#query/values/order.ts';
import { aggregateLocally, DuckdbRows, isSame, plannedAggregate, type TestRow } from '#test/support/expressions.ts';
import { EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import { poolValues } from '#test/support/value-pools.ts';
import { checkOf, SKIPPED } from './check.ts';
import { rowsText } from './shown.ts';

const TYPES: readonly ColumnType[] = ['any', 'long', 'double', 'string', 'date', 'bool', 'list', 'map', 'binary'];

const SHARES = [0, 1, 10, 25, 33, 50, 66.6, 75, 90, 99.9, 100];
const PERCENTILES = SHARES.flatMap((share) =>
  ['', ', "linear"', ', "lower"', ', "higher"', ', "nearest"', ', "midpoint"'].map(
    (how) => `percentile(x, ${share}${how})`,
  ),
);
const PLAIN = [
  ...['count', 'count(x)', 'sum(x)', 'avg(x)', 'min(x)', 'max(x)', 'first(x)', 'last(x)', 'dc(x)', 'values(x)'],
  ...['values(x, 3)', 'array(x)', 'array(x, 2)', 'stddev(x)', 'var(x)', 'median(x)', 'count(if(x > 1, 1, null))'],
  ...['sum(x * 2)', 'max(string(x))', 'dc(lower(x))', 'min(nvl(x, y))', 'sum(if(isnum(x), x, y))'],
];
const PAIRED = ['corr(x, y)', 'cov(x, y)', 'slope(x, y)'];

interface Case {
  readonly text: string;
  readonly type: ColumnType;
  readonly rows: readonly TestRow[];
}

const rowsOf = (values: readonly Value[]) =>
  fc.array(fc.record({ x: fc.constantFrom(...values), y: fc.constantFrom(...values) }), { maxLength: 12 });

/** Differences of near doubles cancel to anything: where all depends on them, they are small numbers. */
const isTame = (value: Value): boolean => {
  const size = Math.abs(Number(numberOf(value) ?? 0));
  return size === 0 || (size < 1e6 && size > 1e-3);
};

const given = fc.constantFrom(...TYPES).chain((type): fc.Arbitrary<Case> => {
  const values = poolValues(type);
  const any = fc.record({ text: fc.constantFrom(...PLAIN, ...PERCENTILES), rows: rowsOf(values) });
  const tame = fc.record({ text: fc.constantFrom(...PAIRED), rows: rowsOf(values.filter(isTame)) });
  return fc.oneof({ weight: 5, arbitrary: any }, { weight: 1, arbitrary: tame }).map((one) => ({ ...one, type }));
});

/** How far two results may be apart: the last digits of sums depend on the order of what is summed. */
function slack(text: string, rows: readonly TestRow[]): number {
  const sizes = rows.flatMap(({ x = null, y = null }) => [x, y]).map((value) => Math.abs(Number(numberOf(value) ?? 0)));
  const most = Math.max(0, ...sizes);
  if (text.startsWith('var') || text.startsWith('cov')) return Math.max(1e-9 * most, 1e-9 * most * most);
  if (text.startsWith('corr') || text.startsWith('slope')) return 1e-6;
  return text.startsWith('stddev') ? 1e-6 * most : 1e-9 * most;
}

function isAsGood(found: Value, wanted: Value, { text, rows }: Case): boolean {
  if (isSame(found, wanted)) return true;
  if (typeof found === 'number' && typeof wanted === 'number') return Math.abs(found - wanted) <= slack(text, rows);
  // Which of equal values of several types it is, 1 or 1.0, is not said.
  return found !== null && wanted !== null && compareValues(found, wanted, EXAMPLE_ZONE) === 0;
}

const shown = (value: Value): string => `${typeOf(value)} ${textOf(value, 'UTC')}`;

export const aggregates = checkOf<Case>({
  name: 'aggregates',
  given,
  judge: async (one) => {
    const { text, type, rows } = one;
    const columns = [
      { name: 'x', type },
      { name: 'y', type },
    ];
    if (type === 'date' && text.includes('*')) return SKIPPED;
    const call = plannedAggregate(text, columns);
    await using duckdb = await DuckdbRows.open(columns, rows);
    const found = await duckdb.aggregate(call);
    const wanted = aggregateLocally(call, rows);
    if (isAsGood(found, wanted, one)) return undefined;
    const query = `${rowsText(rows.map((row) => new Map(Object.entries(row))))} | stats ${text} as result`;
    return `${query}\n  columns of type ${type}\n  DuckDB ${shown(found)}\n  local  ${shown(wanted)}`;
  },
});
