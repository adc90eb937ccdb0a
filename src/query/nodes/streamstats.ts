// Every row with the aggregates of the rows of its group up to itself, or of the last `window` of these. DuckDB keeps
// results of overlapping windows in trees, so that a window of a million rows costs hardly more than one of ten.

import type { ColumnId } from '#query/model/expression.ts';
import { aggregateAs } from '#query/sql/expressions.ts';
import { columnsOf, counters, type NodeDeclaration, type Step } from './node.ts';
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
import type { PlanCompiler } from './sql-compiler.ts';

interface Streamstats extends Step, Grouped {
  readonly kind: 'streamstats';
  readonly window?: bigint;
  /** A hidden count of the rows: the order that the aggregates were made in, where there was one. */
  readonly sequence: ColumnId;
}

export const streamstats: NodeDeclaration<Streamstats> = {
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
  const { input, by, aggregates, window, sequence, rows } = node;
  const read = aggregates.filter(({ column }) => compiler.isRead(column.id));
  if (read.length === 0 && !compiler.isRead(sequence)) return compiler.node(input);
  const from = withComputed(input, read.length === 0 ? [] : by, compiler);
  const order = compiler.order(input.rows);
  const ordered = order === undefined ? '' : `order by ${order}`;
  const [frame, all] = [compiler.name('frame'), compiler.name('frame')];
  const keys = by.flatMap(({ column }) => groupKey(compiler.column(column.id), compiler).by);
  const partition = keys.length === 0 ? '' : `partition by ${keys.join(', ')} `;
  const first = window === undefined ? 'unbounded preceding' : `${countable(window - 1n)} preceding`;
  const computed = new Map<ColumnId, string>([[sequence, `row_number() over ${all}`]]);
  const scope = compiler.scope({ window: frame, ...sequenceScope(input, compiler) });
  for (const { column, call } of read) {
    const { text, type } = aggregateAs(call, scope, column.type);
    computed.set(column.id, type === 'null' ? 'null::json' : text);
  }
  const windows = `window ${all} as (${ordered}), ${frame} as (${partition}${ordered} rows between ${first} and current row)`;
  return compiler.select(rows, { from, computed, tail: windows });
}
