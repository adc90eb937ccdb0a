// `AGG, … [by names]`, read and planned alike for stats and its kin.

import { fieldsText } from '#query/language/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { AggregateCall } from '#query/model/expression.ts';
import type { Assigned } from '#query/nodes/node.ts';
import type { Grouped } from '#query/nodes/shared/groups.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import {
  AGGREGATE_KEYWORDS,
  aggregatesText,
  plannedAggregates,
  requireDistinctOutputs,
  takeAggregates,
  takeFieldsAfter,
} from './aggregate-list.ts';

interface Grouping {
  readonly calls: readonly AggregateCall[];
  readonly by: readonly Name[];
}

export function takeGrouping(words: Words): Grouping {
  const calls = takeAggregates(words, AGGREGATE_KEYWORDS);
  const by = words.takeKeyword('by') ? takeFieldsAfter(words, AGGREGATE_KEYWORDS) : [];
  requireDistinctOutputs(by, calls);
  return { calls, by };
}

export function groupingText({ calls, by }: Grouping): string {
  const fields = by.length > 0 ? ` by ${fieldsText(by, AGGREGATE_KEYWORDS)}` : '';
  return `${aggregatesText(calls, AGGREGATE_KEYWORDS)}${fields}`;
}

/** `isOrderTold`: the command itself has warned where rows have no order. */
export function plannedGrouping(
  { calls, by }: Grouping,
  planning: CommandPlanning<unknown>,
  { isOrderTold = false } = {},
): Grouped {
  const keys = groupKeys(by, planning);
  const aggregates = plannedAggregates(calls, planning, { isOrderTold }).map((call) => ({
    call,
    column: planning.newColumn(call.output, call.type),
  }));
  return { by: keys, aggregates };
}

/** Each key as a column of its own, so that it cannot be taken for its source. */
export const groupKeys = (names: readonly Name[], planning: CommandPlanning<unknown>): Assigned[] =>
  names.map((name) => {
    const value = planning.field(name);
    return { column: planning.newColumn(name.text, value.type), value };
  });

export const ascending = (keys: readonly Assigned[]) =>
  keys.map(({ column }) => ({ column: column.id, descending: false }));
