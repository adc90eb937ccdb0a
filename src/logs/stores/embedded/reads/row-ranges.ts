// The rows of segments that a statement reads: a list of ranges, which each kind of selection may narrow further. A segment
// never changes, so the number of a row in its file stays the same.

import type { TimedRows } from '#logs/runs/tables/timed-rows.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import type { SourceFiles } from '#logs/stores/embedded/storage/records.ts';

/** Consecutive rows of one segment, the first of which has the number `from`. */
export interface RowRange extends TimedRows {
  readonly segment: Segment;
  readonly from: number;
}

export const wholeRange = (segment: Segment): RowRange => {
  const { rows, minTime, maxTime } = segment;
  return { segment, from: 0, rows, minTime, maxTime };
};

/** Each once, in the order of the ranges. */
export const segmentsOf = (ranges: readonly RowRange[]): Segment[] => [
  ...new Set(ranges.map(({ segment }) => segment)),
];

/** Parts of files in one statement: each is a source of its own, which takes time to prepare. */
export const MAX_PARTS = 32;

/** `paths` are those of `segmentsOf(ranges)`. Ranges that are too many for a statement are read with rows between them. */
export function sourceFiles(ranges: readonly RowRange[], paths: readonly string[]): SourceFiles {
  const files = [...Map.groupBy(ranges, ({ segment }) => segment)].map(([segment, own], index) => {
    const path = paths[index];
    if (path === undefined) throw new Error(`the segment ${segment.file} has no path`);
    return { path, segment, spans: joined(own) };
  });
  const partial = files.filter(({ segment, spans }) => !isWhole(segment, spans));
  const parts = partial.flatMap(({ path, spans }) => spans.map((span) => ({ path, ...span })));
  const read = parts.length <= MAX_PARTS ? parts : partial.map(({ path, spans }) => ({ path, ...envelope(spans) }));
  const inParts = new Set(read.length > MAX_PARTS ? [] : read.map(({ path }) => path));
  const whole = files.filter(({ path }) => !inParts.has(path));
  return {
    paths: whole.map(({ path }) => path),
    rows: whole.reduce((total, { segment }) => total + segment.rows, 0),
    parts: inParts.size === 0 ? [] : read,
  };
}

/** Parts of files that ranges are read as; files that are read whole are none. */
export const countParts = (ranges: readonly RowRange[]): number =>
  [...Map.groupBy(ranges, ({ segment }) => segment)]
    .map(([segment, own]) => ({ segment, spans: joined(own) }))
    .reduce((sum, { segment, spans }) => sum + (isWhole(segment, spans) ? 0 : spans.length), 0);

const isWhole = (segment: Segment, spans: readonly Span[]): boolean =>
  spans.some(({ from, to }) => from === 0 && to >= segment.rows);

interface Span {
  readonly from: number;
  /** The first row behind it. */
  readonly to: number;
}

/** Spans in the order of their rows, of ranges that touch or overlap each other. */
function joined(ranges: readonly RowRange[]): Span[] {
  const spans: Span[] = [];
  for (const { from, rows } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (!last || last.to < from) spans.push({ from, to: from + rows });
    else spans.splice(-1, 1, { from: last.from, to: Math.max(last.to, from + rows) });
  }
  return spans;
}

const envelope = (spans: readonly Span[]): Span => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to)),
});
