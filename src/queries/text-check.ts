// What a text would be as a query, told before it is kept or run: its mistakes, or what it reads and gives. For everyone
// who takes the text of a query from somebody.

import { queryErrorText } from '#contract/errors.ts';
import type { Locale } from '#contract/values.ts';
import { namedTablesOf } from '#query/analysis/references.ts';
import { QueryError, reportOf } from '#query/model/query-error.ts';
import type { CheckedQuery } from '#query/query.ts';

export interface FoundQueryError {
  readonly code: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly suggestion: string | null;
}

export interface TextCheck {
  /** In the order of the text, none of them because of another. */
  readonly mistakes: readonly FoundQueryError[];
  /** Null where there are mistakes; the lists are empty then. */
  readonly normalized: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly string[];
}

/** `check` throws the mistakes of the text. */
export async function textCheck(text: string, locale: Locale, check: () => Promise<CheckedQuery>): Promise<TextCheck> {
  try {
    const { plan, normalized } = await check();
    const columns = plan.result.rows.columns.map(({ name, type }) => ({ name, type }));
    return { mistakes: [], normalized, columns, tables: [...namedTablesOf(plan)].toSorted() };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const mistakes = [error, ...error.further].map((mistake) => foundQueryError(mistake, text, locale));
    return { mistakes, normalized: null, columns: [], tables: [] };
  }
}

function foundQueryError(mistake: QueryError, text: string, locale: Locale): FoundQueryError {
  const { code, message, begin, end, line, column, suggestions } = reportOf(mistake, text, locale);
  return { code, message, begin, end, line, column, suggestion: suggestions[0] ?? null };
}

/** The first mistake in the words of the contract; undefined where there is none. */
export function firstQueryErrorText({ mistakes: [first] }: TextCheck): string | undefined {
  return first && queryErrorText(first.code, first.message, first);
}
