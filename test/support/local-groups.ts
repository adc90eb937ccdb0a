// stats, eventstats, sort, top, rare and facets in plain TypeScript.

import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { type Correlation, fieldPairs } from '#query/plan-nodes/correlation.ts';
import { ALL_ROWS, type Facets, MAX_VALUE_CHARACTERS } from '#query/plan-nodes/facets.ts';
import type { Sort } from '#query/plan-nodes/sort.ts';
import type { Top } from '#query/plan-nodes/top.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { correlation as correlationOf } from '#query/values/aggregates.ts';
import { groupKey } from '#query/values/order.ts';
import { type LocalRows, type Pair, type PlanNodeOf, type Row, withValues } from './local-rows.ts';

export function stats(
  local: LocalRows,
  { by, aggregates }: PlanNodeOf<'stats' | 'eventstats'>,
  rows: readonly Row[],
): Row[] {
  const groups = by.length === 0 ? [{ values: [], rows: [...rows] }] : local.groups(rows, local.keysOf(by));
  return groups.map(
    (group) =>
      new Map<ColumnId, Value>([
        ...by.map(({ column }, index): Pair => [column.id, group.values[index] ?? null]),
        ...aggregates.map(({ column, call }): Pair => [column.id, local.aggregate(call, group.rows)]),
      ]),
  );
}

export function eventstats(local: LocalRows, node: PlanNodeOf<'stats' | 'eventstats'>, rows: readonly Row[]): Row[] {
  const keys = local.keysOf(node.by);
  return rows.map((row) => {
    const key = groupKey(keys(row), local.run.zone);
    const group = rows.filter((other) => groupKey(keys(other), local.run.zone) === key);
    return withValues(
      row,
      ...node.aggregates.map(({ column, call }): Pair => [column.id, local.aggregate(call, group)]),
    );
  });
}

export function sorted(local: LocalRows, { by, keys, limit }: Sort, rows: readonly Row[]): Row[] {
  const made = [...by, ...keys].map(({ column, value }) => ({ id: column.id, read: local.value(value) }));
  const all = rows.map((row) => withValues(row, ...made.map(({ id, read }): Pair => [id, read(row)])));
  const order = [...by.map(({ column }) => ({ column, descending: false })), ...keys];
  all.sort((one, other) =>
    order.reduce(
      (found, { column: { id }, descending }) =>
        found || local.compare(one.get(id) ?? null, other.get(id) ?? null) * (descending ? -1 : 1),
      0,
    ),
  );
  if (limit === undefined) return all;
  return local.firsts(all, (row) => by.map(({ column }) => row.get(column.id) ?? null), Number(limit));
}

export function top(
  local: LocalRows,
  { by, names, countColumn, percentColumn, least, count }: Top,
  rows: readonly Row[],
): Row[] {
  return local.groups(rows, local.keysOf(by)).flatMap((group) => {
    const counted = local.groups(group.rows, local.keysOf(names));
    counted.sort((one, other) => (other.rows.length - one.rows.length) * (least ? -1 : 1));
    return counted
      .slice(0, Number(count))
      .map(
        (one) =>
          new Map<ColumnId, Value>([
            ...by.map(({ column }, index): Pair => [column.id, group.values[index] ?? null]),
            ...names.map(({ column }, index): Pair => [column.id, one.values[index] ?? null]),
            [countColumn.id, BigInt(one.rows.length)],
            [percentColumn.id, (one.rows.length * 100) / group.rows.length],
          ]),
      );
  });
}

export function correlation(
  local: LocalRows,
  { by, fields, method, columns, index }: Correlation,
  rows: readonly Row[],
): Row[] {
  const groups = by.length > 0 ? local.groups(rows, local.keysOf(by)) : [{ values: [], rows: [...rows] }];
  return groups
    .filter((group) => group.rows.length > 0)
    .flatMap((group) =>
      fieldPairs(fields).map((pair) => {
        const reader = (id: ColumnId) => local.value(fields.find(({ column }) => column.id === id)?.value ?? NULL);
        const x = reader(pair.x.id);
        const y = reader(pair.y.id);
        const both = group.rows.map((row) => [x(row), y(row)]).filter((values) => !values.includes(null));
        const xs = both.map(([value]) => Number(value));
        const ys = both.map(([, value]) => Number(value));
        const values = method === 'pearson' ? both : both.map(([one, other]) => [rank(xs, one), rank(ys, other)]);
        return new Map<ColumnId, Value>([
          ...by.map(({ column }, at): Pair => [column.id, group.values[at] ?? null]),
          [index, BigInt(pair.index)],
          [columns.x.id, pair.x.name],
          [columns.y.id, pair.y.name],
          [columns.count.id, BigInt(both.length)],
          [columns.corr.id, correlationOf(values as Value[][])],
        ]);
      }),
    );
}

const NULL = { kind: 'literal', type: 'null', value: null, begin: 0, end: 0 } as const;

/** Equal values have the mean of their ranks. */
function rank(values: readonly number[], value: Value | undefined): number {
  const below = values.filter((other) => other < Number(value)).length;
  return below + (values.filter((other) => other === Number(value)).length + 1) / 2;
}

export function facets(local: LocalRows, { fields, limit, sampleRows, columns }: Facets, all: readonly Row[]): Row[] {
  const rows = all.slice(0, sampleRows === undefined ? undefined : Number(sampleRows));
  const rowOf = (index: number, ...values: Value[]): Row => {
    const others = [columns.field, columns.count, columns.distinct, columns.value, columns.rows];
    return new Map([
      [columns.position.id, BigInt(index)],
      ...others.map(({ id }, at): Pair => [id, values[at] ?? null]),
    ]);
  };
  const ofField = (field: Facets['fields'][number], index: number): Row[] => {
    const found = local.groups(rows, local.keysOf([field])).filter(({ values: [value = null] }) => value !== null);
    const counts = [BigInt(found.reduce((total, group) => total + group.rows.length, 0)), BigInt(found.length)];
    const listed = found
      .map(({ values: [value = null], rows: { length } }) => ({ value, text: taggedJson(value), count: length }))
      .filter(({ text }) => [...text].length <= MAX_VALUE_CHARACTERS)
      .sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1))
      .slice(0, Number(limit))
      .sort((one, other) => other.count - one.count || local.compare(one.value, other.value));
    const own = listed.map((one) => rowOf(index, null, ...counts, one.value, BigInt(one.count)));
    return [...own, rowOf(index, field.column.name, ...counts, null, 0n)];
  };
  return [rowOf(ALL_ROWS, null, BigInt(rows.length), 0n, null, 0n), ...fields.flatMap(ofField)];
}
