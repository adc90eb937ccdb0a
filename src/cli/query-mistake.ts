// What is wrong with a query, as the person who typed it reads it: where, what, and what may have been meant.

import { termText } from '#query/messages.ts';
import { excerptOf } from '#query/mistake.ts';
import { translated } from '#query/translated.ts';
import type { Client } from './client.ts';
import { Refused } from './failure.ts';
import type { Speech } from './speech.ts';
import { harmless } from './table.ts';

export interface FoundMistake {
  readonly code: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly suggestion: string | null;
}

export interface CheckedText {
  readonly mistakes: readonly FoundMistake[];
  readonly normalized: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly string[];
}

export interface Asked {
  readonly text: string;
  /** As JSON. */
  readonly params: string;
}

/** What the service says of a text without running it. */
export const checked = (client: Client, { text, params }: Asked): Promise<CheckedText> =>
  client.send('POST', '/queries/check', { q: text, params });

/** Of a text that was refused; none where the refusal says all there is. */
export async function mistakesBehind(error: unknown, asked: Asked, client: Client): Promise<readonly FoundMistake[]> {
  if (!(error instanceof Refused) || error.code !== 'invalid-query') return [];
  // Since then someone may have made the table that was not there.
  return (await checked(client, asked)).mistakes;
}

export const mistakeLines = (mistakes: readonly FoundMistake[], text: string, speech: Speech): string[] =>
  mistakes.flatMap((mistake) => {
    const [head = '', ...hints] = mistakeWords(mistake, speech);
    const shown = [...excerptOf(text, mistake).split('\n'), ...hints];
    return [`vigil: ${head}`, ...shown.map((line) => `  ${harmless(line)}`)];
  });

/** Where and what, then what may have been meant. */
export function mistakeWords(mistake: FoundMistake, { say, language }: Speech): string[] {
  const { code, line, column, suggestion } = mistake;
  const message = translated(mistake.message, [code], language);
  const head = say('query-mistake', { line: String(line), column: String(column), message, code: String(code) });
  const meant = suggestion === null ? [] : [termText('did-you-mean', { names: suggestion }, language)];
  return [head, ...meant].map(harmless);
}
