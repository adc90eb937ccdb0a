// Checks what is written in a rule: the query of a batch rule, appended to that of its dataset, and the conditions of a
// stream rule.

import { textOfBatch } from '#detection/batch-text.ts';
import { type CheckedTexts, conditionsIn, type RuleInput } from '#detection/rule-content.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { ScheduleNeeds } from './schedule.ts';

export interface WritingNeeds extends ScheduleNeeds {
  readonly clock: Clock;
  readonly queries: LiveQueries;
}

/** A dataset that is not there is not complained about here: references come later. */
export async function requireSoundTexts(
  input: RuleInput,
  { db, queries, caller }: WritingNeeds,
): Promise<CheckedTexts> {
  const text = await textOfBatch(db, input);
  if (text !== '') await queries.sound({ caller, text });
  const conditions = conditionsIn(input);
  const groups = new Set<string>();
  for (const condition of conditions) {
    for (const group of await queries.soundCondition({ caller, text: condition.query })) groups.add(group);
  }
  return { conditions, groups: [...groups] };
}
