// What became of many scheduled queries in one call: a count, and a line for each that the service refused.

import type { AnswerFor } from '#cli/kit/call.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { FAILED } from '#cli/kit/failure.ts';
import { type Field, printJson, printList } from '#cli/kit/records.ts';

type Outcome = AnswerFor<'POST /api/core/scheduled-queries/run'>;

interface ApiError {
  readonly schedule: string;
  readonly reason: string;
}

/** `summary` is said of what the service did; `left` are those that it neither did nor refused. */
export function printOutcome(
  invocation: Invocation,
  { named, answer }: { named: ReadonlyMap<string, string>; answer: Outcome },
  summary: (count: string, left: number) => string,
): number {
  if (invocation.flags.json) {
    printJson(invocation, answer);
  } else {
    const left = new Set(named.values()).size - answer.succeeded - answer.failures.length;
    invocation.note(summary(String(answer.succeeded), left));
    if (answer.failures.length > 0) printList(invocation, refusalsOf(named, answer), fields);
  }
  return answer.failures.length === 0 ? 0 : FAILED;
}

function refusalsOf(named: ReadonlyMap<string, string>, { failures }: Outcome): ApiError[] {
  const words = new Map([...named].map(([word, guid]) => [guid, word]));
  return failures.map(({ id, reason }) => ({ schedule: words.get(id) ?? id, reason }));
}

const fields: readonly Field<ApiError>[] = [
  { title: 'field-name', text: ({ schedule }) => schedule },
  { title: 'field-result', text: ({ reason }) => reason, isBad: () => true },
];
