// Conditions on the times of stored records, as SQL. Times are written out: so they reach the statistics of files.

import type { TimeRange } from '#engines/engine.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';

export const upTo = ({ direction }: Scan, time: number): string =>
  `_time ${direction === 'desc' ? '>=' : '<='} epoch_ms(${time}::bigint)`;

/** As conditions. */
export const boundsOf = ({ from, to }: TimeRange): string[] => [
  ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
  ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
];
