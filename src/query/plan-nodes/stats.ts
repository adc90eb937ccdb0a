// Aggregates of the rows of each group: one row per group, one row without `by`.

import type { Step } from './plan.ts';
import { columnsOf, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import {
  aggregate,
  callsOf,
  type Grouped,
  groupExpressions,
  groupKey,
  isRowCount,
  readGroups,
  withComputed,
} from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

export interface Stats extends Step, Grouped {
  readonly kind: 'stats';
}

export const stats: PlanNodeDeclaration<Stats> = {
  kind: 'stats',
  takes: 'all-before-first',
  expressions: groupExpressions,
  makes: ({ by, aggregates }) => columnsOf([...by, ...aggregates]),
  reads: (node, reading) => readGroups(node, node.input.rows, { reading, makesGroups: true }),
  pushdown: ({ by }) => by.map(({ column, value }) => [column.id, value]),
  parts: 'read',
  counts: ({ by }) => (by.length === 0 ? { exactly: 1n } : 'counted'),
  aggregates: callsOf,
  groups: { inputWithoutGroups: 0n },
  equalRows: ({ by }) => ({ keys: valuesOf(by) }),
  timeCounts: ({ by, aggregates }) =>
    by.length === 0 && aggregates.every(({ call }) => isRowCount(call))
      ? { cells: aggregates.map(() => 'count') }
      : undefined,

  sql(node, compiler) {
    const { input, by, aggregates } = node;
    const from = withComputed(input, by, compiler);
    const keys = by.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
    const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
    const list = [
      ...keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
      ...read.map(({ column, call }) => `${aggregate(call, column.type, input, compiler)} as ${alias(column.id)}`),
      ...compiler.behind(node, compiler.condensed.rowCount(input)),
    ];
    // Without groups there is one row, read or not.
    if (list.length === 0) list.push('count(*) as nothing');
    const groups = keys.flatMap((key) => key.by);
    return `select ${list.join(', ')} from ${from}${groups.length > 0 ? ` group by ${groups.join(', ')}` : ''}`;
  },
};
