// rollup and cube: `stats` for several lists of keys at once, every prefix of `by` or every subset.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, counters, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import {
  aggregate,
  callsOf,
  type Grouped,
  groupExpressions,
  groupKey,
  readGroups,
  withComputed,
} from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

/** A key: `column` is null in rows that leave the key out, `shown` is the value that such a row shows for it. */
export interface RolledKey extends Assigned {
  readonly shown: Column;
  /** A hidden number, 1 where the key is left out. */
  readonly leftOut: ColumnId;
}

interface Rollup extends Step {
  readonly kind: 'rollup';
  readonly sets: 'prefixes' | 'subsets';
  readonly by: readonly RolledKey[];
  readonly aggregates: Grouped['aggregates'];
  readonly label?: string;
}

export const rollup: PlanNodeDeclaration<Rollup> = {
  kind: 'rollup',
  takes: 'all-before-first',
  expressions: groupExpressions,
  makes: ({ by, aggregates }) => [
    ...by.flatMap(({ column, shown, leftOut }) => [column, shown, ...counters(leftOut)]),
    ...columnsOf(aggregates),
  ],
  reads: (node, reading) => readGroups(node, node.input.rows, { reading, makesGroups: true }),
  pushdown: 'lost',
  counts: 'counted',
  aggregates: callsOf,
  groups: { inputWithoutGroups: 0n },
  equalRows: ({ by }) => ({ keys: valuesOf(by) }),
  sql,
};

/** Each key gets a name in the statement, because grouping() takes names. */
function sql(node: Rollup, compiler: PlanCompiler): string {
  const { input, by, aggregates, sets } = node;
  const keys = by.map((key) => {
    const value = compiler.column(key.column.id);
    const { by: grouped, shown } = groupKey(value, compiler);
    const name = compiler.name('key');
    return { key, name, grouped: grouped.join(', '), shown: MIXED.includes(value.type) ? shown : name };
  });
  const named = keys.map(({ name, grouped }) => `${grouped} as ${name}`).join(', ');
  const from = `(select *, ${named} from ${withComputed(input, by, compiler)})`;
  const names = keys.map(({ name }) => name).join(', ');
  const isTotal = keys.map(({ name }) => `grouping(${name}) = 1`).join(' and ');
  const list = [
    ...keys.flatMap(({ key, name, shown }) => keyColumns(key, { name, shown, label: node.label }, compiler)),
    ...aggregates
      .filter(({ column }) => compiler.isRead(column.id))
      .map(({ column, call }) => `${aggregate(call, column.type, input, compiler)} as ${alias(column.id)}`),
    // All rows of the input are behind the grand total.
    ...compiler.behind(node, `case when ${isTotal} then ${compiler.condensed.rowCount(input)} else 0 end`),
  ];
  return `select ${list.join(', ')} from ${from} group by ${sets === 'subsets' ? 'cube' : 'rollup'} (${names})`;
}

function keyColumns(
  { column, shown: made, leftOut }: RolledKey,
  { name, shown, label }: { name: string; shown: string; label: string | undefined },
  compiler: PlanCompiler,
): string[] {
  const own = { text: shown, type: compiler.typeOf(column.id) };
  const labelSql = label === undefined ? { text: 'null', type: 'null' as const } : compiler.bind(label);
  const isLeftOut = `grouping(${name}) = 1`;
  const value = `case when ${isLeftOut} then ${compiler.converted(labelSql, made.type)} else ${compiler.converted(own, made.type)} end`;
  const key = `case when not (${isLeftOut}) then ${shown} end`;
  return [`grouping(${name}) as ${alias(leftOut)}`, `${key} as ${alias(column.id)}`, `${value} as ${alias(made.id)}`];
}
