// Checks the texts of a rule: the query of a batch rule, and the conditions of a stream rule. Commands that follow a dataset
// are checked after it; errors of the dataset itself appear in `query_error` of the rule.

import { batchQueryOf } from '#detection/rules/batch-query.ts';
import { type CheckedTexts, conditionsIn, type RuleInput } from '#detection/rules/rule-content.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type AnswerFindings, answerFindings, listedFindings } from '#queries/check/text-check.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { ScheduleDeps } from './schedule.ts';

export interface WriteDeps extends ScheduleDeps {
  readonly clock: Clock;
  readonly queries: LiveQueries;
}

/** A missing dataset is not refused here: references are checked later. */
export async function validateQueryTexts(
  input: RuleInput,
  { db, queries, caller }: WriteDeps,
): Promise<CheckedTexts & { readonly findings: AnswerFindings }> {
  const { text, lead } = await batchQueryOf(db, input);
  const isOwn = !lead || lead.rest !== undefined;
  const groups = new Set<string>();
  const found: AnswerFindings[] = [];
  if (text !== '' && isOwn) {
    const { checker, checked } = await queries.validate({ caller, text, lead, reports: 'last' });
    for (const group of checker.namedGroups) groups.add(group);
    found.push(answerFindings(checked.warnings, text, caller.locale));
  }
  const conditions = conditionsIn(input);
  for (const condition of conditions) {
    const checked = await queries.validateCondition({ caller, text: condition.query });
    for (const group of checked.groups) groups.add(group);
    found.push(answerFindings(checked.warnings, condition.query, caller.locale));
  }
  const findings = listedFindings({
    warnings: found.flatMap(({ warnings = [] }) => warnings),
    hints: found.flatMap(({ hints = [] }) => hints),
  });
  return { conditions, groups: [...groups], findings };
}
