// Every row with the aggregates of the rows of its group up to itself, or of the last `window` of these. DuckDB keeps
// results of overlapping windows in trees, so that a window of a million rows costs hardly more than one of ten.

import type { ColumnId } from '#query/model/expression.ts';
import { type ListInWindow, listInWindow } from '#query/sql/aggregates.ts';
import { aggregateAs } from '#query/sql/expressions.ts';
import { MAX_LIST } from '#query/values/aggregates.ts';
import { failureText, MAX_ROW_BYTES, TEXT_TOO_LONG } from '#query/values/failures.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { columnsOf, counters, type PlanNodeDeclaration } from './plan-node.ts';
import {
  callsOf,
  type Grouped,
  groupExpressions,
  groupKey,
  readGroups,
  sequenceScope,
  withComputed,
} from './shared/groups.ts';
import { countable } from './shared/sql-text.ts';

interface Streamstats extends Step, Grouped {
  readonly kind: 'streamstats';
  readonly window?: bigint;
  /** A hidden count of the rows: the order that the aggregates were made in, where there was one. */
  readonly sequence: ColumnId;
}

export const streamstats: PlanNodeDeclaration<Streamstats> = {
  kind: 'streamstats',
  takes: 'all-before-first',
  expressions: groupExpressions,
  makes: ({ sequence, by, aggregates }) => [...counters(sequence), ...columnsOf([...by, ...aggregates])],
  reads(node, reading) {
    const { input, sequence, aggregates } = node;
    readGroups(node, input.rows, { reading, makesGroups: false });
    if ([sequence, ...aggregates.map(({ column }) => column.id)].some((id) => reading.isRead(id))) {
      reading.order(input.rows);
    }
  },
  pushdown: 'lost',
  counts: 'as-input',
  aggregates: callsOf,
  sql,
};

function sql(node: Streamstats, compiler: PlanCompiler): string {
  const { input, by, aggregates, sequence, rows } = node;
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(sequence)) return compiler.planNode(input);
  const from = withComputed(input, read.length === 0 ? [] : by, compiler);
  const order = compiler.order(input.rows);
  const ordered = order === undefined ? '' : `order by ${order}`;
  const frame = compiler.name('frame');
  const all = compiler.name('frame');
  // DuckDB drops a window that nothing uses together with its parameters, and then rejects their values.
  const framed = read.length === 0 ? '' : `, ${frame} as (${frameOf(node, ordered, compiler)})`;
  const windows = `window ${all} as (${ordered})${framed}`;
  const computed = new Map<ColumnId, string>([[sequence, `row_number() over ${all}`]]);
  const scope = compiler.scope({ window: frame, ...sequenceScope(input, compiler) });
  const lists = read.flatMap(({ call }) => listInWindow(call, scope) ?? []);
  for (const { column, call } of read) {
    const { text, type } = aggregateAs(call, scope, column.type);
    computed.set(column.id, type === 'null' ? 'null::json' : text);
  }
  return compiler.select(rows, {
    from: lists.length === 0 ? from : limited(from, lists, { windows, compiler }),
    computed,
    tail: windows,
  });
}

function frameOf({ by, window }: Streamstats, ordered: string, compiler: PlanCompiler): string {
  const keys = by.flatMap(({ column }) => groupKey(compiler.column(column.id), compiler).by);
  const partition = keys.length === 0 ? '' : `partition by ${keys.join(', ')} `;
  const first = window === undefined ? 'unbounded preceding' : `${countable(window - 1n)} preceding`;
  return `${partition}${ordered} rows between ${first} and current row`;
}

/**
 * Every row has a list of its own, which DuckDB makes for 2,048 rows before it looks at its memory or at an interrupt: what
 * the lists of all rows hold is added up before the first of them is made.
 */
function limited(
  from: string,
  lists: readonly ListInWindow[],
  { windows, compiler }: { readonly windows: string; readonly compiler: PlanCompiler },
): string {
  const elements = compiler.name('elements');
  const bytes = compiler.name('bytes');
  const held = `select *, ${sumOf(lists.map((list) => list.elements))} as ${elements}, ${sumOf(lists.map((list) => list.bytes))} as ${bytes} from ${from} ${windows}`;
  const total = `select *, sum(${elements}) over () as all_${elements}, sum(${bytes}) over () as all_${bytes} from (${held})`;
  const isWithin = `case when all_${elements} > ${MAX_LIST} then error('${failureText(93011, MAX_LIST)}')
    when all_${bytes} > ${MAX_ROW_BYTES} then error('${TEXT_TOO_LONG}') else true end`;
  return `(select * from (${total}) where ${isWithin})`;
}

const sumOf = (counts: readonly string[]): string => counts.map((count) => `coalesce(${count}, 0)::double`).join(' + ');
