// How far a read of the first records has to go. The catalog tells it by whole segments; parts of those that are large are
// looked up until no more is read than a few times the records that are wanted.

import { boundFor, inRange, isReached, type TimedRows, type Wanted } from '#logs/runs/tables/timed-rows.ts';
import { BLOCK_ROWS, knownParts } from './divided-ranges.ts';
import type { RowRange } from './row-ranges.ts';

/** Ranges that one bound may cost to read; known parts cost nothing. */
const MAX_READ = 16;

/** Smaller ranges are not worth a statement. */
const MIN_DIVIDED = 2 * BLOCK_ROWS;

/** Reads the parts of a range that are not known. */
type ReadParts = (range: RowRange) => Promise<readonly RowRange[]>;

/** Leaves out ranges that hold none of the records which are looked for. */
type KeepRanges = (ranges: readonly RowRange[]) => Promise<readonly RowRange[]>;

const keepAll: KeepRanges = async (ranges) => ranges;

/** A moment up to which there surely are the wanted records of kept ranges; undefined where there may be fewer. */
export async function closeBound(
  ranges: readonly RowRange[],
  wanted: Wanted,
  readParts: ReadParts,
  keep: KeepRanges = keepAll,
): Promise<number | undefined> {
  let candidates: readonly RowRange[] = inRange(ranges, wanted.range);
  for (let left = MAX_READ; ; ) {
    const bound = boundFor(candidates, wanted);
    const coarse = candidates.filter((range) => isCoarse(range, wanted, bound)).sort(byNearness(wanted));
    const divided = new Map<RowRange, readonly RowRange[]>();
    for (const range of coarse) {
      const known = knownParts(range);
      if (!known && left === 0) continue;
      if (!known) left -= 1;
      divided.set(range, await keep(known ?? (await readParts(range))));
    }
    if (divided.size === 0) return bound;
    const divide = (range: RowRange) => divided.get(range) ?? [range];
    candidates = inRange(candidates.flatMap(divide), wanted.range);
  }
}

function isCoarse(range: TimedRows, { records, order }: Wanted, bound: number | undefined): boolean {
  const isLarge = range.rows > Math.max(records, MIN_DIVIDED);
  return isLarge && (bound === undefined || isReached(range, order, bound));
}

/** Those at the end where reading begins come first. */
const byNearness = ({ order }: Wanted): ((one: TimedRows, other: TimedRows) => number) =>
  order === 'desc' ? (one, other) => other.maxTime - one.maxTime : (one, other) => one.minTime - other.minTime;
