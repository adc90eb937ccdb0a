// The report on the text of a query without running it: its errors, or its normalized text, columns and tables.

import { queryErrorText } from '#contract/errors.ts';
import type { Locale } from '#contract/values.ts';
import { QueryError, reportOf } from '#query/model/query-error.ts';
import type { CheckedQuery } from '#query/query.ts';

interface ReportedQueryError {
  readonly code: number;
  readonly message: string;
  readonly begin: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly suggestion: string | null;
}

export interface TextCheck {
  /** Independent errors, in the order of the text. */
  readonly mistakes: readonly ReportedQueryError[];
  /** Null for a text with errors; the lists are empty then. */
  readonly normalized: string | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly string[];
}

/** `check` throws the QueryErrors of the text. */
export async function checkText(text: string, locale: Locale, check: () => Promise<CheckedQuery>): Promise<TextCheck> {
  try {
    const { plan, references, normalized } = await check();
    const columns = plan.result.rows.columns.map(({ name, type }) => ({ name, type }));
    return { mistakes: [], normalized, columns, tables: [...references.namedTables].toSorted() };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const mistakes = [error, ...error.further].map((mistake) => reportedQueryError(mistake, text, locale));
    return { mistakes, normalized: null, columns: [], tables: [] };
  }
}

function reportedQueryError(mistake: QueryError, text: string, locale: Locale): ReportedQueryError {
  const { code, message, begin, end, line, column, suggestions } = reportOf(mistake, text, locale);
  return { code, message, begin, end, line, column, suggestion: suggestions[0] ?? null };
}

/** The first error in the words of the contract; undefined without errors. */
export function firstQueryErrorText({ mistakes: [first] }: TextCheck): string | undefined {
  return first && queryErrorText(first.code, first.message, first);
}
