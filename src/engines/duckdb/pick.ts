// Which segments a read has to open. The newest hundred records of a year are in the newest few files.

import type { Segment } from '#engines/catalog.ts';
import type { TimeRange } from '#engines/engine.ts';

export const inRange = (segments: readonly Segment[], { from, to }: TimeRange): Segment[] =>
  segments.filter(
    ({ minTime, maxTime }) => (from === undefined || maxTime >= from) && (to === undefined || minTime < to),
  );

/** The first records of a range, in the order of their times. */
export interface Wanted {
  readonly range: TimeRange;
  readonly order: 'asc' | 'desc';
  readonly records: number;
}

/** Of the segments in the range, those that can hold one of the wanted records. */
export function segmentsFor(segments: readonly Segment[], { range, order, records }: Wanted): Segment[] {
  const candidates = inRange(segments, range);
  const bound = boundOf(candidates, range, order, records);
  if (bound === undefined) return candidates;
  return candidates.filter(({ minTime, maxTime }) => (order === 'desc' ? maxTime >= bound : minTime <= bound));
}

export const isWhollyIn = ({ minTime, maxTime }: Segment, { from = minTime, to = maxTime + 1 }: TimeRange): boolean =>
  minTime >= from && maxTime < to;

/** A moment up to which, counted from the end where reading begins, there surely are so many records. */
function boundOf(
  candidates: readonly Segment[],
  range: TimeRange,
  order: Wanted['order'],
  records: number,
): number | undefined {
  const farEnd = ({ minTime, maxTime }: Segment) => (order === 'desc' ? -minTime : maxTime);
  const whole = candidates.filter((segment) => isWhollyIn(segment, range)).sort((a, b) => farEnd(a) - farEnd(b));
  let counted = 0;
  for (const segment of whole) {
    counted += segment.rows;
    if (counted >= records) return order === 'desc' ? segment.minTime : segment.maxTime;
  }
  return undefined;
}
