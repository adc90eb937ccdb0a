// What a table holds of each day, from the catalog of the service.

import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import type { DayFigures } from '#console/components/charts/day-buckets.ts';

type TableDays = AnswerFor<'GET /api/core/tables/:table/days'>['days'];

export const useDays = (table: string) => useAnswer('GET /api/core/tables/:table/days', { table });

/** Index and data are one size to the reader. */
export const figuresOf = (days: TableDays): readonly DayFigures[] =>
  days.map(({ day, rows, table_size, index_size }) => ({ day, rows, bytes: table_size + index_size }));

export const sumOf = (days: TableDays, measure: 'rows' | 'table_size' | 'index_size'): number =>
  days.reduce((sum, day) => sum + day[measure], 0);
