// Facts of the plan of a query that are kept after its end.

import type { Locale } from '#contract/values.ts';
import { type AnswerFindings, findingsOf } from '#queries/check/text-check.ts';
import { type Constants, knownConstants } from '#queries/runs/constants.ts';
import type { Rows } from '#query/model/columns.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { CheckedQuery } from '#query/query.ts';

export interface QueryOutline {
  readonly constants: Constants;
  readonly warnings: readonly QueryWarning[];
  /** Warnings and hints for status records; made once, because lists show them of thousands of queries. */
  readonly findings: (locale: Locale) => AnswerFindings;
  /** Rows of the result. */
  readonly rows: Rows;
  /** Columns of the result with stored values, where its overflow is that of stored records. */
  readonly asStored: ReadonlySet<string> | undefined;
  /** Of the query: times in its rows are written in it. */
  readonly zone: string;
}

interface PlannedText {
  readonly checker: { readonly constants: Constants };
  readonly checked: CheckedQuery;
}

export const outlineOf = (
  { checker, checked }: PlannedText,
  text: string,
  warnings = checked.warnings,
): QueryOutline => ({
  constants: knownConstants(checker.constants, checked),
  warnings,
  findings: findingsOf(warnings, text),
  rows: checked.plan.result.rows,
  asStored: checked.references.storedNames,
  zone: checked.zone,
});
