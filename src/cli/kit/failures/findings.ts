// Errors and warnings about a query as texts for people: position, message, suggestions and hints.

import type { Client } from '#cli/kit/client.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';
import { termText } from '#query/model/messages.ts';
import { excerptOf } from '#query/model/query-error.ts';
import { translated, translatedHint } from '#query/model/translated-messages.ts';
import { ServiceError } from './failure.ts';

type CheckedText = AnswerFor<'POST /api/core/queries/check'>;
export type FoundQueryError = CheckedText['mistakes'][number];
type FoundHint = CheckedText['hints'][number];

/** Lists that are absent are empty. */
export interface TextFindings {
  readonly mistakes?: readonly FoundQueryError[];
  readonly warnings?: readonly FoundQueryError[];
  readonly hints?: readonly FoundHint[];
}

interface QueryText {
  readonly text: string;
  /** As JSON. */
  readonly params: string;
}

/** Checks a query without running it. */
export const checkQuery = (client: Client, { text, params }: QueryText): Promise<CheckedText> =>
  client.call('POST /api/core/queries/check', { q: text, params });

/** The findings about a refused text; none for a refusal with another reason. */
export async function findingsBehind(error: unknown, asked: QueryText, client: Client): Promise<TextFindings> {
  if (!(error instanceof ServiceError) || error.code !== 'invalid-query') return {};
  // The answer of the service, by its contract.
  if (Array.isArray(error.details.mistakes)) return error.details as TextFindings;
  // The check may find no errors: a missing table may have been created since.
  return await checkQuery(client, asked);
}

/** The whole text as it should read; undefined where no hint says so. */
export async function replacementFor({ hints = [] }: TextFindings, asked: QueryText, client: Client) {
  if (hints.every(({ replacement }) => replacement === null)) return undefined;
  const { replacement = null } = await checkQuery(client, asked);
  return replacement ?? undefined;
}

/** Each error and warning with its line, carets below the place, suggestions and hints. */
export const findingLines = (findings: TextFindings, text: string, translator: Translator): string[] =>
  inOrder(findings).flatMap((found) => {
    const [head = '', ...help] = findingWords(found, findings, translator);
    const shown = [...excerptOf(text, found).split('\n'), ...help];
    return [`vigil: ${head}`, ...shown.map((line) => `  ${printable(line)}`)];
  });

/** Errors and warnings in the order of the text. */
export const inOrder = ({ mistakes = [], warnings = [] }: TextFindings): FoundQueryError[] =>
  [...mistakes, ...warnings].toSorted((one, other) => one.begin - other.begin);

/** Position and message, then suggestions, then hints. */
export function findingWords(found: FoundQueryError, { hints = [] }: TextFindings, translator: Translator): string[] {
  const { text, language } = translator;
  const { code, line, column, begin, end } = found;
  const message = translated(found.message, [code], language);
  const head = text('query-mistake', { line: String(line), column: String(column), message, code: String(code) });
  const names = suggestionsOf(found);
  const meant = names.length === 0 ? [] : [termText('did-you-mean', { names: names.join(', ') }, language)];
  const own = hints.filter((hint) => hint.of === code && hint.begin <= begin && hint.end >= end);
  return [head, ...meant, ...own.map((hint) => translatedHint(hint.message, hint.code, language))].map(printable);
}

/** A service of an earlier version names one alone. */
const suggestionsOf = ({ suggestion, suggestions = [] }: Partial<FoundQueryError>): readonly string[] =>
  suggestions.length === 0 && suggestion ? [suggestion] : suggestions;
