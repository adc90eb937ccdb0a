// Reads and plans `AGG, … [by names]` for stats and related commands.

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import { type Column, withColumns } from '#query/model/columns.ts';
import type { AggregateCall } from '#query/model/expression.ts';
import { type Assigned, columnsOf } from '#query/plan-nodes/plan-node.ts';
import type { Grouped } from '#query/plan-nodes/shared/groups.ts';
import type { Stats } from '#query/plan-nodes/stats.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import {
  AGGREGATE_KEYWORDS,
  aggregatesText,
  plannedAggregates,
  takeAggregates,
  takeFieldsAfter,
  warnHiddenKeys,
} from './aggregate-list.ts';

interface Grouping {
  readonly calls: readonly AggregateCall[];
  readonly by: readonly Name[];
}

export function* takeGrouping(words: Words): SlicedWork<Grouping> {
  const calls = yield* takeAggregates(words, AGGREGATE_KEYWORDS);
  const by = words.takeKeyword('by') ? yield* takeFieldsAfter(words, AGGREGATE_KEYWORDS) : [];
  warnHiddenKeys(by, calls, words);
  return { calls, by };
}

export function groupingText({ calls, by }: Grouping): string {
  const fields = by.length > 0 ? ` by ${fieldsText(by, AGGREGATE_KEYWORDS)}` : '';
  return `${aggregatesText(calls, AGGREGATE_KEYWORDS)}${fields}`;
}

/** `hasWarnedOrder`: the command itself has already warned about rows without an order. */
export function* plannedGrouping(
  { calls, by }: Grouping,
  planning: CommandPlanning<unknown>,
  { hasWarnedOrder = false } = {},
): SlicedWork<Grouped> {
  const keys = yield* groupKeys(by, planning);
  const planned = yield* plannedAggregates(calls, planning, { hasWarnedOrder });
  const aggregates = planned.map((call) => ({ call, column: planning.newColumn(call.output, call.type) }));
  return { by: keys, aggregates };
}

/** One row per combination of the `by` values, ascending; a single row without them. */
export function* groupedRows(grouping: Grouping, planning: CommandPlanning<unknown>): SlicedWork<Stats> {
  const grouped = yield* plannedGrouping(grouping, planning);
  const columns = groupColumns(grouped.by, grouped.aggregates);
  const [single] = columns;
  // A single row is ordered by any column.
  const order =
    grouped.by.length > 0 ? ascending(grouped.by) : single ? [{ column: single.id, descending: false }] : [];
  return { ...planning.step({ columns, order }), kind: 'stats', ...grouped };
}

/** The keys, then the aggregates; one that is named like a key takes the place of its column. */
export function groupColumns(
  keys: readonly { readonly column: Column }[],
  aggregates: readonly { readonly column: Column }[],
): readonly Column[] {
  const shown = { columns: columnsOf(keys) };
  return withColumns(shown, columnsOf(aggregates)).columns;
}

/** A new column for each key, so that it is not confused with its source column. */
export const groupKeys = (names: readonly Name[], planning: CommandPlanning<unknown>): SlicedWork<Assigned[]> =>
  mapSliced(names, (name) => {
    const value = planning.field(name);
    return { column: planning.newColumn(name.text, value.type), value };
  });

export const ascending = (keys: readonly Assigned[]) =>
  keys.map(({ column }) => ({ column: column.id, descending: false }));
