// Which segments a read has to open. The newest hundred records of a year are in the newest few files.

import type { TimeRange } from '#logs/log-store.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';

/** Records between two times, both included. */
export interface TimedRows {
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
}

export const rowsOf = (parts: readonly TimedRows[]): bigint =>
  BigInt(parts.reduce((total, { rows }) => total + rows, 0));

export const inRange = <T extends TimedRows>(segments: readonly T[], { from, to }: TimeRange): T[] =>
  segments.filter(
    ({ minTime, maxTime }) => (from === undefined || maxTime >= from) && (to === undefined || minTime < to),
  );

/** The range of a plan. */
export function millisecondsOf({ from, to }: PlanRange): TimeRange {
  return {
    ...(from ? { from: from.epochMilliseconds } : {}),
    ...(to ? { to: to.epochMilliseconds } : {}),
  };
}

/** The first records of a range, in the order of their times. */
export interface Wanted {
  readonly range: TimeRange;
  readonly order: 'asc' | 'desc';
  readonly records: number;
}

/** Whether some of the rows lie before a bound, counted from the end where reading begins. */
export const isReached = ({ minTime, maxTime }: TimedRows, order: Wanted['order'], bound: number): boolean =>
  order === 'desc' ? maxTime >= bound : minTime <= bound;

export const isWhollyIn = ({ minTime, maxTime }: TimedRows, { from = minTime, to = maxTime + 1 }: TimeRange): boolean =>
  minTime >= from && maxTime < to;

/** A moment up to which, counted from the end where reading begins, there surely are so many records. */
export function boundFor(candidates: readonly TimedRows[], { range, order, records }: Wanted): number | undefined {
  const farEnd = ({ minTime, maxTime }: TimedRows) => (order === 'desc' ? -minTime : maxTime);
  const whole = candidates.filter((segment) => isWhollyIn(segment, range)).sort((a, b) => farEnd(a) - farEnd(b));
  let counted = 0;
  for (const segment of whole) {
    counted += segment.rows;
    if (counted >= records) return order === 'desc' ? segment.minTime : segment.maxTime;
  }
  return undefined;
}
