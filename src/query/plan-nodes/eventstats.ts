// Every row with the aggregates of its group.

import { columnRead } from '#query/model/expression.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { columnsOf, type PlanNodeDeclaration } from './plan-node.ts';
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

interface Eventstats extends Step, Grouped {
  readonly kind: 'eventstats';
}

export const eventstats: PlanNodeDeclaration<Eventstats> = {
  kind: 'eventstats',
  takes: 'all-before-first',
  expressions: groupExpressions,
  makes: ({ by, aggregates }) => columnsOf([...by, ...aggregates]),
  reads: (node, reading) => readGroups(node, node.input.rows, { reading, makesGroups: false }),
  pushdown: ({ by }) => by.map(({ value }) => [columnRead(value), value]),
  counts: 'as-input',
  aggregates: callsOf,
  sql,
};

/** The input is read once, as a step of its own, since every row meets the aggregates of its group. */
function sql(node: Eventstats, compiler: PlanCompiler): string {
  const { input, by, aggregates, rows } = node;
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return compiler.planNode(input);
  const all = compiler.name('step');
  const groups = compiler.name('groups');
  const from = withComputed(input, by, compiler);
  const keys = by.flatMap(({ column }) => groupKey(compiler.column(column.id), compiler).by);
  const named = keys.map((key, index) => ({ key, name: `k${index}` }));
  const list = [
    ...named.map(({ key, name }) => `${key} as ${name}`),
    ...read.map(({ column, call }) => `${aggregate(call, column.type, input, compiler)} as ${alias(column.id)}`),
  ];
  const grouped = `select ${list.join(', ')} from ${all}${keys.length > 0 ? ` group by ${keys.join(', ')}` : ''}`;
  const on = named.map(({ key, name }) => `${key} is not distinct from ${groups}.${name}`).join(' and ') || 'true';
  const join = `${all} join (${grouped}) ${groups} on ${on}`;
  return `with ${all} as materialized (select * from ${from}) ${compiler.select(rows, { from: join })}`;
}
