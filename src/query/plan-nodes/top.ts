// top and rare: the most or least frequent combinations of values.

import type { Column } from '#query/model/columns.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { groupKey, withComputed } from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

export interface Top extends Step {
  readonly kind: 'top';
  readonly least: boolean;
  readonly count: bigint;
  readonly by: readonly Assigned[];
  readonly names: readonly Assigned[];
  readonly countColumn: Column;
  readonly percentColumn: Column;
}

export const top: PlanNodeDeclaration<Top> = {
  kind: 'top',
  takes: 'all-before-first',
  expressions: ({ by, names }) => valuesOf([...by, ...names]),
  makes: ({ by, names }) => columnsOf([...by, ...names]),
  reads: ({ by, names }, reading) => reading.expressions(valuesOf([...by, ...names])),
  pushdown: 'lost',
  counts: 'counted',
  maxRows: ({ by, count }) => (by.length === 0 ? count : undefined),
  groups: { inputWithoutGroups: 0n },
  equalRows: ({ by, names }) => ({ keys: valuesOf([...by, ...names]) }),
  sql,
};

function sql(node: Top, compiler: PlanCompiler): string {
  const { input, by, names, countColumn, percentColumn, least, count } = node;
  const from = withComputed(input, [...by, ...names], compiler);
  const keys = [...by, ...names].map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const counted = alias(countColumn.id);
  const list = [
    ...keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
    `${compiler.condensed.rowCount(input)} as ${counted}`,
  ];
  const grouped = `select ${list.join(', ')} from ${from} group by ${keys.flatMap((key) => key.by).join(', ')}`;
  const partitions = by.flatMap(({ column }) => compiler.keys(compiler.column(column.id)));
  const partition = partitions.length > 0 ? `partition by ${partitions.join(', ')} ` : '';
  const ranked = [
    compiler.sorted(compiler.column(countColumn.id), { descending: !least }),
    ...names.map(({ column }) => compiler.sorted(compiler.column(column.id), { descending: false })),
  ];
  const rank = `row_number() over (${partition}order by ${ranked.join(', ')})`;
  const all = `sum(${counted}) over (${partition})`;
  const more = [
    `${counted} * 100::double / ${all} as ${alias(percentColumn.id)}`,
    // Rows of combinations that are not among the first count for the first one.
    ...compiler.behind(node, `case when ${rank} = 1 then ${all} else 0 end::bigint`),
  ];
  return `select *, ${more.join(', ')} from (${grouped}) qualify ${rank} <= ${count}`;
}
