// Prints the outcome of an operation on several scheduled queries: a count, and a line for each refused one.

import { FAILED } from '#cli/kit/failures/failure.ts';
import { type Field, printJson, printList, type RecordOutput } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';

type Outcome = AnswerFor<'POST /api/core/scheduled-queries/run'>;

interface Refused {
  readonly schedule: string;
  readonly reason: string;
}

/** `summary` is the text of the count; `left` is the number of those neither changed nor refused. */
export async function printOutcome(
  output: RecordOutput,
  { named, answer }: { named: ReadonlyMap<string, string>; answer: Outcome },
  summary: (count: string, left: number) => string,
): Promise<number> {
  const { invocation } = output;
  if (invocation.flags.json) {
    printJson(invocation, answer);
  } else {
    const left = new Set(named.values()).size - answer.succeeded - answer.failures.length;
    invocation.note(summary(String(answer.succeeded), left));
    if (answer.failures.length > 0) await printList(output, refusalsOf(named, answer), fields);
  }
  return answer.failures.length === 0 ? 0 : FAILED;
}

function refusalsOf(named: ReadonlyMap<string, string>, { failures }: Outcome): Refused[] {
  const words = new Map([...named].map(([word, guid]) => [guid, word]));
  return failures.map(({ id, reason }) => ({ schedule: words.get(id) ?? id, reason }));
}

const fields: readonly Field<Refused>[] = [
  { title: 'field-name', text: ({ schedule }) => schedule },
  { title: 'field-result', text: ({ reason }) => reason, isBad: () => true },
];
