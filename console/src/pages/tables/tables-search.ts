// The state of the page in its address.

import type { AnswerFor } from '#client/call.ts';
import { choiceIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';

export const TABS = ['days', 'fields', 'sharing'] as const;
export const MEASURES = ['rows', 'bytes'] as const;

export type TableSummary = AnswerFor<'GET /api/core/tables'>['tables'][number];
export type TableRecord = NonNullable<AnswerFor<'GET /api/core/tables/:table'>['table']>;
export type Tab = (typeof TABS)[number];
export type Measure = (typeof MEASURES)[number];

export interface TablesSearch {
  readonly keywords?: string | undefined;
  /** The name of the table whose detail is shown. */
  readonly table?: string | undefined;
  readonly tab?: Tab | undefined;
  readonly measure?: Measure | undefined;
}

export const readTablesSearch = (search: RawSearch): TablesSearch =>
  present({
    keywords: textIn(search, 'keywords'),
    table: textIn(search, 'table'),
    tab: choiceIn(search, 'tab', TABS),
    measure: choiceIn(search, 'measure', MEASURES),
  });
