// Aggregates of rows by row fields, with a column for each combination of values of other fields.

import type { ColumnId, Expression } from '#query/model/expression.ts';
import { type Assigned, columnsOf, counters, type NodeDeclaration, valuesOf } from './node.ts';
import { type Chart, chartCells, type KeyedRows, keyedRows } from './shared/chart-cells.ts';
import { callsOf, groupKey, withComputed } from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';
import type { PlanCompiler } from './sql-compiler.ts';

export interface Pivot extends Chart {
  readonly kind: 'pivot';
  readonly rowFields: readonly Assigned[];
  readonly cols: readonly Expression[];
  /** Without row fields: a hidden constant by which the one row is in order. */
  readonly single?: ColumnId;
}

export const pivot: NodeDeclaration<Pivot> = {
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
  bounds: 'lost',
  counts: 'counted',
  aggregates: callsOf,
  groups: { inputWithoutGroups: 0n },
  chart: {
    keys: keyed,
    limit: () => undefined,
    hasOther: () => false,
    names: ({ rowFields }) => rowFields.map(({ column }) => column.name),
  },
  sql,
};

function keyed(node: Pivot, compiler: PlanCompiler): KeyedRows {
  return keyedRows(withComputed(node.input, node.rowFields, compiler), node.cols, compiler);
}

function sql(node: Pivot, compiler: PlanCompiler): string {
  const { single } = node;
  const common = {
    rows: () => keyed(node, compiler),
    isLimited: false,
    having: '',
    behind: (count: string) => compiler.behind(node, count),
  };
  if (single !== undefined) {
    const one = { by: ['true'], shown: [`0::bigint as ${alias(single)}`], names: [alias(single)] };
    return chartCells(node, { ...one, ...common }, compiler);
  }
  const keys = node.rowFields.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const group = {
    by: keys.flatMap((key) => key.by),
    shown: keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
    names: keys.map(({ column }) => alias(column.id)),
  };
  return chartCells(node, { ...group, ...common }, compiler);
}
