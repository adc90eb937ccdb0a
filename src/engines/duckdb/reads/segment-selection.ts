// Which segments a read has to open. The newest hundred records of a year are in the newest few files.

import type { TimeRange } from '#engines/engine.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';

/** Records between two times, both included. */
export interface TimedRows {
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
}

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

/** Of the segments in the range, those that can hold one of the wanted records. */
export function segmentsFor<T extends TimedRows>(segments: readonly T[], wanted: Wanted): T[] {
  const candidates = inRange(segments, wanted.range);
  const bound = boundFor(candidates, wanted);
  if (bound === undefined) return candidates;
  return candidates.filter(({ minTime, maxTime }) => (wanted.order === 'desc' ? maxTime >= bound : minTime <= bound));
}

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

/** So many times as many records as are wanted are expected before a moment that is guessed. */
const SPARE = 4;

/**
 * A moment nearer than `bound` where the wanted records would lie if they were spread evenly: to be tried, since finding
 * the first of many records takes much longer than counting those of a short time.
 */
export function nearerBound(rows: readonly TimedRows[], { order, records }: Wanted, bound: number): number | undefined {
  const before = rows.filter(({ minTime, maxTime }) => (order === 'desc' ? maxTime >= bound : minTime <= bound));
  const total = before.reduce((sum, one) => sum + one.rows, 0);
  if (total < records * SPARE * SPARE) return undefined;
  const end =
    order === 'desc' ? Math.max(...before.map((one) => one.maxTime)) : Math.min(...before.map((one) => one.minTime));
  return Math.round(end + (bound - end) * ((records * SPARE) / total));
}
