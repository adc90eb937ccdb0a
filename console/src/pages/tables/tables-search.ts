// The state of the page in its address.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, text } from '#console/address/address.ts';

export const TABS = ['days', 'fields', 'sharing'] as const;
export const MEASURES = ['rows', 'bytes'] as const;

export type TableSummary = AnswerFor<'GET /api/core/tables'>['tables'][number];
export type TableRecord = NonNullable<AnswerFor<'GET /api/core/tables/:table'>['table']>;
export type Tab = (typeof TABS)[number];
export type Measure = (typeof MEASURES)[number];

export const readTablesSearch = addressOf({
  keywords: text,
  /** The name of the table whose detail is shown. */
  table: text,
  tab: choice(TABS),
  measure: choice(MEASURES),
});
export type TablesSearch = ReturnType<typeof readTablesSearch>;
