// The order in which segments that are sorted by time are read, so that their records come sorted. Only where segments overlap are
// records sorted again: segments that were sealed one after the other overlap for some seconds.

import type { Segment } from './catalog.ts';

type Timed = Pick<Segment, 'minTime' | 'maxTime'>;

/** A time from one moment to the one before the second, in which several segments have records. */
export interface Overlap<T> {
  readonly from: number;
  readonly to: number;
  readonly segments: readonly T[];
}

export type Part<T> = { readonly segment: T } | { readonly overlap: Overlap<T> };

/** Of a segment all records that are in no overlap. Each segment is a part at most once. */
export function orderedParts<T extends Timed>(segments: readonly T[]): Part<T>[] {
  const spans = spansOf(segments);
  const own = longestAlone(spans);
  const parts: Part<T>[] = [];
  for (const span of spans) {
    const [segment] = span.segments;
    const last = parts.at(-1);
    if (segment !== undefined && own.get(segment) === span) parts.push({ segment });
    else if (last && 'overlap' in last) parts.splice(-1, 1, { overlap: joined(last.overlap, span) });
    else parts.push({ overlap: span });
  }
  return parts;
}

/** The times between two bounds of segments, each with the segments that have records in it. */
function spansOf<T extends Timed>(segments: readonly T[]): Overlap<T>[] {
  const bounds = new Set(segments.flatMap(({ minTime, maxTime }) => [minTime, maxTime + 1]));
  const cuts = [...bounds].sort((a, b) => a - b);
  return cuts.slice(1).flatMap((to, index) => {
    const from = cuts[index] ?? to;
    const covering = segments.filter(({ minTime, maxTime }) => minTime <= from && maxTime + 1 >= to);
    return covering.length === 0 ? [] : [{ from, to, segments: covering }];
  });
}

/** A segment has one span of its own: records of a second one, behind an overlap, are sorted with it. */
function longestAlone<T>(spans: readonly Overlap<T>[]): Map<T, Overlap<T>> {
  const longest = new Map<T, Overlap<T>>();
  for (const span of spans) {
    const [segment, other] = span.segments;
    if (segment === undefined || other !== undefined) continue;
    const known = longest.get(segment);
    if (!known || span.to - span.from > known.to - known.from) longest.set(segment, span);
  }
  return longest;
}

const joined = <T>(one: Overlap<T>, next: Overlap<T>): Overlap<T> => ({
  from: one.from,
  to: next.to,
  segments: [...new Set([...one.segments, ...next.segments])],
});
