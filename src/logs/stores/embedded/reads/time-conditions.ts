// Conditions on the times of stored records, as SQL. Times are written out: so they reach the statistics of files.

import type { TimeRange } from '#logs/log-store.ts';
import type { Wanted } from '#logs/runs/tables/timed-rows.ts';

/** None where the range has the same bound. */
export function boundConditions({ order, range }: Wanted, bound: number | undefined): string[] {
  if (bound === undefined || bound === range.from) return [];
  return [`_time ${order === 'desc' ? '>=' : '<='} epoch_ms(${bound}::bigint)`];
}

/** As conditions. */
export const boundsOf = ({ from, to }: TimeRange): string[] => [
  ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
  ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
];
