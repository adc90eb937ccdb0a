// What is wrong with a query, as the person who typed it reads it: where, what, and what may have been meant.

import { termText } from '#query/messages.ts';
import { excerptOf } from '#query/mistake.ts';
import { translated } from '#query/translated.ts';
import type { Client } from './client.ts';
import { Refused } from './failure.ts';
import type { Speech } from './speech.ts';
import { harmless } from './table.ts';

interface FoundMistake {
  readonly code: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly suggestion: string | null;
}

export interface Asked {
  readonly text: string;
  /** As JSON. */
  readonly params: string;
}

/** Lines to be shown in place of the refusal; undefined where that says all there is. */
export async function mistakeLines(
  error: unknown,
  asked: Asked,
  { client, speech }: { client: Client; speech: Speech },
): Promise<string[] | undefined> {
  if (!(error instanceof Refused) || error.code !== 'invalid-query') return undefined;
  const { mistakes } = await client.send<{ mistakes: readonly FoundMistake[] }>('POST', '/queries/check', {
    q: asked.text,
    params: asked.params,
  });
  // Since then someone may have made the table that was not there.
  if (mistakes.length === 0) return undefined;
  return mistakes.flatMap((mistake) => linesOf(mistake, asked.text, speech));
}

function linesOf(mistake: FoundMistake, text: string, { say, language }: Speech): string[] {
  const { code, line, column, suggestion } = mistake;
  const message = translated(mistake.message, [code], language);
  const head = say('query-mistake', { line: String(line), column: String(column), message, code: String(code) });
  const excerpt = excerptOf(text, mistake).split('\n');
  const meant = suggestion === null ? [] : [termText('did-you-mean', { names: suggestion }, language)];
  return [`vigil: ${harmless(head)}`, ...[...excerpt, ...meant].map((shown) => `  ${harmless(shown)}`)];
}
