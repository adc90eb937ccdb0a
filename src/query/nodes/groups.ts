// stats, eventstats, top and rare.

import type { AggregateCall, ColumnId } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import { aggregateAs, MIXED } from '#query/sql/expressions.ts';
import type { Sql, SqlScope } from '#query/sql/scope.ts';
import type { Assigned, PlanNode, Stats, Top } from './plan.ts';
import { alias, type PlanCompiler } from './sql-compiler.ts';

/** What rows are grouped by, and how a group shows its value: of values that are one group the least text. */
export interface GroupKey {
  readonly by: readonly string[];
  readonly shown: string;
}

export function groupKey(value: Sql, compiler: PlanCompiler): GroupKey {
  if (!MIXED.includes(value.type)) return { by: [value.text], shown: value.text };
  return { by: [compiler.group(value)], shown: `min(${value.text})::json` };
}

/** The rows of a node, each with further columns. */
export function withComputed(input: PlanNode, made: readonly Assigned[], compiler: PlanCompiler): string {
  const from = compiler.node(input);
  const computed = new Map<ColumnId, string>();
  for (const { column, value } of made) {
    computed.set(column.id, compiler.expression(value, column.type).text);
  }
  if (computed.size === 0) return `(${from})`;
  const more = compiler.sequenceOf(input);
  return `(${compiler.select([...compiler.outputs(input.rows), ...computed.keys()], { from: `(${from})`, computed, more })})`;
}

export function aggregate(call: AggregateCall, as: ColumnType, input: PlanNode, compiler: PlanCompiler): string {
  const order = call.called.ordered ? compiler.order(input.rows) : undefined;
  const scope = { ...sequenceScope(input, compiler), ...(order === undefined ? {} : { order }) };
  const { text, type } = aggregateAs(call, compiler.scope(scope), as);
  return type === 'null' ? `any_value(null::json)` : text;
}

/** Where the arguments of aggregates call seq(). */
export function sequenceScope(input: PlanNode, compiler: PlanCompiler): Pick<SqlScope, 'sequence'> {
  const [text] = compiler.sequenceOf(input);
  return text === undefined ? {} : { sequence: () => ({ text, type: 'long', isPlain: true }) };
}

export function statsSql(node: Stats, compiler: PlanCompiler): string {
  const { input, by, aggregates } = node;
  const from = withComputed(input, by, compiler);
  const keys = by.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  const list = [
    ...keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
    ...read.map(({ column, call }) => `${aggregate(call, column.type, input, compiler)} as ${alias(column.id)}`),
    ...compiler.behind(node, 'count(*)'),
  ];
  // Without groups there is one row also where nobody reads it.
  if (list.length === 0) list.push('count(*) as nothing');
  const groups = keys.flatMap((key) => key.by);
  return `select ${list.join(', ')} from ${from}${groups.length > 0 ? ` group by ${groups.join(', ')}` : ''}`;
}

/** The input is read once, as a step of its own, since every row meets the aggregates of its group. */
export function eventstatsSql(node: Stats, compiler: PlanCompiler): string {
  const { input, by, aggregates, rows } = node;
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0) return compiler.node(input);
  const [all, groups] = [compiler.name('step'), compiler.name('groups')];
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

export function topSql(node: Top, compiler: PlanCompiler): string {
  const { input, by, names, countColumn, percentColumn, least, count } = node;
  const from = withComputed(input, [...by, ...names], compiler);
  const keys = [...by, ...names].map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  const counted = alias(countColumn.id);
  const list = [...keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`), `count(*) as ${counted}`];
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
