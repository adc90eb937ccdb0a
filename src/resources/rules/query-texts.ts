// Checks what is written in a rule: the query of a batch rule, and the conditions of a stream rule. What a batch rule
// appends to its dataset is checked as such; what is wrong with the dataset is told by `query_error` of the rule.

import { batchQueryOf } from '#detection/batch-query.ts';
import { type CheckedTexts, conditionsIn, type RuleInput } from '#detection/rule-content.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { ScheduleDeps } from './schedule.ts';

export interface WriteDeps extends ScheduleDeps {
  readonly clock: Clock;
  readonly queries: LiveQueries;
}

/** A dataset that is not there is not complained about here: references come later. */
export async function validateQueryTexts(input: RuleInput, { db, queries, caller }: WriteDeps): Promise<CheckedTexts> {
  const { text, lead } = await batchQueryOf(db, input);
  const isOwn = !lead || lead.rest !== undefined;
  const groups = new Set<string>();
  if (text !== '' && isOwn) {
    const { checker } = await queries.validate({ caller, text, lead, reports: 'last' });
    for (const group of checker.namedGroups) groups.add(group);
  }
  const conditions = conditionsIn(input);
  for (const condition of conditions) {
    for (const group of await queries.validateCondition({ caller, text: condition.query })) groups.add(group);
  }
  return { conditions, groups: [...groups] };
}
