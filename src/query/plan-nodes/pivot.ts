// Aggregates of rows by row fields, with a column for each combination of values of other fields.

import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, counters, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { type Chart, type ChartGroups, chartCells, type KeyedRows, keyedRows } from './shared/chart-cells.ts';
import { callsOf, groupKey, withComputed } from './shared/groups.ts';

export interface Pivot extends Chart {
  readonly kind: 'pivot';
  readonly rowFields: readonly Assigned[];
  readonly cols: readonly Expression[];
  /** Without row fields: a hidden constant by which the one row is in order. */
  readonly single?: ColumnId;
}

export const pivot: PlanNodeDeclaration<Pivot> = {
  kind: 'pivot',
  takes: 'all-before-first',
  expressions: ({ rowFields, cols, aggregates }) => [
    ...valuesOf(rowFields),
    ...cols,
    ...aggregates.flatMap(({ call }) => call.args),
  ],
  makes: ({ single, rowFields }) => [...counters(single), ...columnsOf(rowFields)],
  reads({ rowFields, cols, aggregates, input }, reading) {
    reading.expressions([...valuesOf(rowFields), ...cols]);
    for (const { call } of aggregates) reading.aggregate(call, input.rows);
  },
  pushdown: 'lost',
  counts: 'counted',
  aggregates: callsOf,
  groups: { inputWithoutGroups: 0n },
  equalRows: ({ rowFields, cols }) => ({ keys: [...valuesOf(rowFields), ...cols] }),
  chart: {
    keys: keyed,
    groups: chartGroups,
    limit: () => undefined,
    hasOther: () => false,
    columnName: (value, alias) => `${alias}:${value}`,
    names: ({ rowFields }) => rowFields.map(({ column }) => column.name),
  },
  sql: (node, compiler) => chartCells(node, chartGroups(node, compiler), compiler),
};

function keyed(node: Pivot, compiler: PlanCompiler): KeyedRows {
  return keyedRows(withComputed(node.input, node.rowFields, compiler), node.cols, compiler);
}

function chartGroups(node: Pivot, compiler: PlanCompiler): ChartGroups {
  const { single, rowFields } = node;
  const fields = rowFields.map(({ column: { id } }) => ({
    id,
    type: compiler.typeOf(id),
    ...groupKey(compiler.column(id), compiler),
  }));
  return {
    columns: single === undefined ? fields : [{ id: single, type: 'long', by: ['true'], shown: '0::bigint' }],
    rows: () => keyed(node, compiler),
    isLimited: false,
    dropsNull: false,
    behind: (count: string) => compiler.behind(node, count),
  };
}
