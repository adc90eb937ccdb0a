// Formats of query rows, for all operations that answer rows.

import { wrongFormat } from '#contract/errors.ts';
import { PRECISIONS, type Precision } from '#contract/times.ts';
import { prefersHtml } from '#operations/accepted.ts';
import { described } from '#operations/described.ts';
import { Answer } from '#operations/endpoint.ts';
import { oneOf, orElse, words } from '#operations/params/params.ts';
import { contentTypeOf, FORMATS, headersOf, type RowsContext, renderRows } from '#queries/formats/index.ts';
import type { LiveQuery } from '#queries/live-query.ts';

export const rowFields = {
  fields: described(words, 'Columns of the answer, in this order; all where absent.'),
  format: described(
    oneOf(FORMATS, wrongFormat),
    'Format of the rows; `json` where absent, or `html` where `Accept` prefers it.',
  ),
  times: orElse(oneOf(PRECISIONS), 'seconds', 'Precision of times in the rows.'),
} as const;

/** The media type of rows unless the request chooses another format. */
export const ROWS_TYPE = contentTypeOf('json');

export const FURTHER_ROWS_TYPES = FORMATS.map((format) => contentTypeOf(format).split(';')[0] ?? '').filter(
  (type) => type !== ROWS_TYPE,
);

/** The rows of an operation, and the requested format. */
interface Wanted {
  readonly fields: readonly string[] | undefined;
  readonly format: (typeof FORMATS)[number] | undefined;
  readonly times: Precision;
  /** The Accept header. */
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function rowsAnswer(
  query: LiveQuery,
  rows: Parameters<typeof renderRows>[1],
  { fields, format, times, accept, headers }: Wanted,
): Answer {
  const chosen = format ?? (prefersHtml(accept) ? 'html' : 'json');
  const {
    rows: { columns, overflow },
    asStored,
    zone,
  } = query.outline;
  const context: RowsContext = {
    columns: columns.map(({ name, type }) => ({ name, type })),
    hasOverflow: overflow !== undefined,
    hidden: overflow?.without ?? [],
    ...(asStored ? { asStored } : {}),
    ...(fields ? { fields } : {}),
    zone,
    times,
    total: () => Number(query.rowCount),
  };
  return new Answer<never>(renderRows(chosen, rows, context), { headers: { ...headersOf(chosen), ...headers } });
}
