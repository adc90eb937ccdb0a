// The report on the text of a query without running it: its findings and commands, and, where it has no errors, its
// normalized text, columns and tables.

import type { Locale } from '#contract/values.ts';
import {
  type CommandOutline,
  type FindingReport,
  type FindingsReport,
  findingsReport,
  type HintReport,
  hintsOf,
  QueryError,
  type QueryWarning,
} from '#query/model/query-error.ts';
import type { CheckedQuery } from '#query/query.ts';

export interface TextCheck extends FindingsReport {
  readonly commands: readonly CommandOutline[];
  /** Null for a text with errors; the lists below are empty then. */
  readonly normalized: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly string[];
  /** Whether a command changes something, as far as the text can be read. */
  readonly changes: boolean;
  /** The whole text as it should read; null where it has no mistake, or where one stays. */
  readonly replacement: string | null;
}

/** Throws the QueryErrors of a text. */
type Check = (text: string) => Promise<CheckedQuery>;

export async function checkText(text: string, locale: Locale, check: Check): Promise<TextCheck> {
  try {
    const { plan, references, normalized, warnings, outline } = await check(text);
    const columns = plan.result.rows.columns.map(({ name, type }) => ({ name, type }));
    const found = findingsReport({ errors: [], warnings }, text, locale);
    const tables = [...references.namedTables].toSorted();
    const changes = references.changes.length > 0;
    return { ...found, commands: outline(), changes, normalized, columns, tables, replacement: null };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const found = findingsReport({ errors: [error, ...error.further], warnings: error.warnings }, text, locale);
    const changes = error.changes();
    const replacement = await replacementFor(text, error, check);
    return { ...found, commands: error.outline(), changes, normalized: null, columns: [], tables: [], replacement };
  }
}

/** Replacements that are put into a text one after the other. */
const MAX_REPLACEMENTS = 10;

/** The text with the replacements of its hints, each put in where the text before has its first. */
async function replacementFor(text: string, refusal: QueryError, check: Check): Promise<string | null> {
  let written = text;
  let mistake: QueryError | undefined = refusal;
  for (let round = 0; mistake && round < MAX_REPLACEMENTS; round += 1) {
    const next = withReplacement(written, mistake);
    if (next === undefined) return null;
    written = next;
    mistake = await refusalOf(check(written));
  }
  return mistake ? null : written;
}

function withReplacement(text: string, refusal: QueryError): string | undefined {
  const [first] = [refusal, ...refusal.further].flatMap((mistake) =>
    hintsOf(mistake).flatMap(({ at = mistake, replacement }) =>
      replacement === undefined ? [] : [{ at, replacement }],
    ),
  );
  return first && text.slice(0, first.at.begin) + first.replacement + text.slice(first.at.end);
}

async function refusalOf(checking: Promise<CheckedQuery>): Promise<QueryError | undefined> {
  try {
    await checking;
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Warnings and hints beside the answer of an operation; absent where there are none. */
export interface AnswerFindings {
  readonly warnings?: readonly FindingReport[];
  readonly hints?: readonly HintReport[];
}

export const answerFindings = (warnings: readonly QueryWarning[], text: string, locale: Locale): AnswerFindings =>
  listedFindings(findingsReport({ errors: [], warnings }, text, locale));

/** Empty lists are left out. */
export const listedFindings = ({ warnings, hints }: Pick<FindingsReport, 'warnings' | 'hints'>): AnswerFindings => ({
  ...(warnings.length > 0 ? { warnings } : {}),
  ...(hints.length > 0 ? { hints } : {}),
});

/** The same of one text for readers of any locale: made once, because lists show the findings of thousands of queries. */
export function findingsOf(warnings: readonly QueryWarning[], text: string): (locale: Locale) => AnswerFindings {
  const made = new Map<Locale, AnswerFindings>();
  return (locale) => {
    const known = made.get(locale) ?? answerFindings(warnings, text, locale);
    made.set(locale, known);
    return known;
  };
}
