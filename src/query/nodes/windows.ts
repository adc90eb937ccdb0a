// streamstats and prev: rows beside those that came before them. DuckDB keeps what it has found of overlapping windows in
// trees, so that a window of a million rows costs hardly more than one of ten.

import type { ColumnId } from '#query/model/expression.ts';
import { aggregateAs } from '#query/sql/expressions.ts';
import { groupKey, sequenceScope, withComputed } from './groups.ts';
import type { Prev, Streamstats } from './plan.ts';
import { alias, most, type PlanCompiler } from './sql-compiler.ts';

export function streamstatsSql(node: Streamstats, compiler: PlanCompiler): string {
  const { input, by, aggregates, window, sequence, rows } = node;
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(sequence)) return compiler.node(input);
  const from = withComputed(input, read.length === 0 ? [] : by, compiler);
  const order = compiler.order(input.rows);
  const ordered = order === undefined ? '' : `order by ${order}`;
  const [frame, all] = [compiler.name('frame'), compiler.name('frame')];
  const keys = by.flatMap(({ column }) => groupKey(compiler.column(column.id), compiler).by);
  const partition = keys.length === 0 ? '' : `partition by ${keys.join(', ')} `;
  const first = window === undefined ? 'unbounded preceding' : `${most(window - 1n)} preceding`;
  const computed = new Map<ColumnId, string>([[sequence, `row_number() over ${all}`]]);
  const scope = compiler.scope({ window: frame, ...sequenceScope(input, compiler) });
  for (const { column, call } of read) {
    const { text, type } = aggregateAs(call, scope, column.type);
    computed.set(column.id, type === 'null' ? 'null::json' : text);
  }
  const windows = `window ${all} as (${ordered}), ${frame} as (${partition}${ordered} rows between ${first} and current row)`;
  return compiler.select(rows, { from, computed, tail: windows });
}

export function prevSql({ input, fields, sequence, rows }: Prev, compiler: PlanCompiler): string {
  const read = fields.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(sequence)) return compiler.node(input);
  const order = compiler.order(input.rows);
  const all = compiler.name('frame');
  const own = withComputed(input, read, compiler);
  const computed = new Map<ColumnId, string>([[sequence, `row_number() over ${all}`]]);
  for (const { column } of read) computed.set(column.id, `lag(${alias(column.id)}) over ${all}`);
  return compiler.select(rows, {
    from: own,
    computed,
    tail: `window ${all} as (${order === undefined ? '' : `order by ${order}`})`,
  });
}
