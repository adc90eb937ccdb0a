// Times of records as conditions: in this form they reach the statistics of files.

import type { TimeRange } from '#engines/engine.ts';
import type { Wanted } from './segment-selection.ts';

export const rangeConditions = ({ from, to }: TimeRange): string[] => [
  ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
  ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
];

/** None where the range has the same bound. */
export function boundConditions({ order, range }: Wanted, bound: number | undefined): string[] {
  if (bound === undefined || bound === range.from) return [];
  return [`_time ${order === 'desc' ? '>=' : '<='} epoch_ms(${bound}::bigint)`];
}
