// What a text would be as a query, told before it is kept or run: its mistakes, or what it reads and gives. For everyone
// who takes the text of a query from somebody.

import { mistakeText } from '#contract/errors.ts';
import type { Locale } from '#contract/values.ts';
import { QueryMistake, reportOf } from '#query/mistake.ts';
import type { CheckedQuery } from '#query/query.ts';
import { namedTablesOf } from './plan-nodes.ts';

export interface FoundMistake {
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
  readonly mistakes: readonly FoundMistake[];
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
    if (!(error instanceof QueryMistake)) throw error;
    const mistakes = [error, ...error.further].map((mistake) => foundMistake(mistake, text, locale));
    return { mistakes, normalized: null, columns: [], tables: [] };
  }
}

function foundMistake(mistake: QueryMistake, text: string, locale: Locale): FoundMistake {
  const { code, message, begin, end, line, column, suggestions } = reportOf(mistake, text, locale);
  return { code, message, begin, end, line, column, suggestion: suggestions[0] ?? null };
}

/** The first mistake in the words of the contract; undefined where there is none. */
export function firstMistakeText({ mistakes: [first] }: TextCheck): string | undefined {
  return first && mistakeText(first.code, first.message, first);
}
