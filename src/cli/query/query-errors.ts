// What is wrong with a query, as the person who typed it reads it: where, what, and what may have been meant.

import type { AnswerFor } from '#cli/kit/call.ts';
import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failure.ts';
import { harmless } from '#cli/kit/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { termText } from '#query/model/messages.ts';
import { excerptOf } from '#query/model/query-error.ts';
import { translated } from '#query/model/translated-messages.ts';

export type CheckedText = AnswerFor<'POST /api/core/queries/check'>;
export type FoundQueryError = CheckedText['mistakes'][number];

export interface Asked {
  readonly text: string;
  /** As JSON. */
  readonly params: string;
}

/** What the service says of a text without running it. */
export const checked = (client: Client, { text, params }: Asked): Promise<CheckedText> =>
  client.call('POST /api/core/queries/check', { q: text, params });

/** Of a text that was refused; none where the refusal says all there is. */
export async function queryErrorsBehind(
  error: unknown,
  asked: Asked,
  client: Client,
): Promise<readonly FoundQueryError[]> {
  if (!(error instanceof ServiceError) || error.code !== 'invalid-query') return [];
  // Since then someone may have made the table that was not there.
  return (await checked(client, asked)).mistakes;
}

export const queryErrorLines = (mistakes: readonly FoundQueryError[], text: string, translator: Translator): string[] =>
  mistakes.flatMap((mistake) => {
    const [head = '', ...hints] = queryErrorWords(mistake, translator);
    const shown = [...excerptOf(text, mistake).split('\n'), ...hints];
    return [`vigil: ${head}`, ...shown.map((line) => `  ${harmless(line)}`)];
  });

/** Where and what, then what may have been meant. */
export function queryErrorWords(mistake: FoundQueryError, { text, language }: Translator): string[] {
  const { code, line, column, suggestion } = mistake;
  const message = translated(mistake.message, [code], language);
  const head = text('query-mistake', { line: String(line), column: String(column), message, code: String(code) });
  const meant = suggestion === null ? [] : [termText('did-you-mean', { names: suggestion }, language)];
  return [head, ...meant].map(harmless);
}
