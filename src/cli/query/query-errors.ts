// Errors of a query as texts for people: position, message and suggestion.

import type { AnswerFor } from '#cli/kit/call.ts';
import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failure.ts';
import { printable } from '#cli/kit/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { termText } from '#query/model/messages.ts';
import { excerptOf } from '#query/model/query-error.ts';
import { translated } from '#query/model/translated-messages.ts';

type CheckedText = AnswerFor<'POST /api/core/queries/check'>;
export type FoundQueryError = CheckedText['mistakes'][number];

interface QueryText {
  readonly text: string;
  /** As JSON. */
  readonly params: string;
}

/** Checks a query without running it. */
export const checkQuery = (client: Client, { text, params }: QueryText): Promise<CheckedText> =>
  client.call('POST /api/core/queries/check', { q: text, params });

/** The errors of a refused text; none for a refusal with another reason. */
export async function queryErrorsBehind(
  error: unknown,
  asked: QueryText,
  client: Client,
): Promise<readonly FoundQueryError[]> {
  if (!(error instanceof ServiceError) || error.code !== 'invalid-query') return [];
  // The check may find no errors: a missing table may have been created since.
  return (await checkQuery(client, asked)).mistakes;
}

export const queryErrorLines = (mistakes: readonly FoundQueryError[], text: string, translator: Translator): string[] =>
  mistakes.flatMap((mistake) => {
    const [head = '', ...hints] = queryErrorWords(mistake, translator);
    const shown = [...excerptOf(text, mistake).split('\n'), ...hints];
    return [`vigil: ${head}`, ...shown.map((line) => `  ${printable(line)}`)];
  });

/** Position and message, then a suggestion. */
export function queryErrorWords(mistake: FoundQueryError, { text, language }: Translator): string[] {
  const { code, line, column, suggestion } = mistake;
  const message = translated(mistake.message, [code], language);
  const head = text('query-mistake', { line: String(line), column: String(column), message, code: String(code) });
  const meant = suggestion === null ? [] : [termText('did-you-mean', { names: suggestion }, language)];
  return [head, ...meant].map(printable);
}
