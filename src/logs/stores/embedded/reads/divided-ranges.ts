// Parts of segments between narrower times: a segment is divided into its row groups, a row group into blocks. Each is read
// once, since no file ever changes, and kept as long as its segment.

import type { TimeRange } from '#logs/log-store.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { inRange, isWhollyIn } from '#logs/runs/tables/timed-rows.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { timesSource } from '#logs/stores/embedded/storage/records.ts';
import { blamed, type SegmentStorage } from '#logs/stores/embedded/storage/segment-storage.ts';
import { type RowRange, wholeRange } from './row-ranges.ts';

/** Two vectors of DuckDB, which skips rows by whole vectors. */
export const BLOCK_ROWS = 4096;

/** Of each segment, the parts of its ranges. A million rows have 250 blocks. */
const known = new WeakMap<Segment, Map<string, readonly RowRange[]>>();

const keyOf = ({ from, rows }: RowRange): string => `${from} ${rows}`;

/** Undefined where they have not been read. */
export const knownParts = (range: RowRange): readonly RowRange[] | undefined =>
  known.get(range.segment)?.get(keyOf(range));

/** The smallest known parts of a range. */
const smallestParts = (range: RowRange): readonly RowRange[] => knownParts(range)?.flatMap(smallestParts) ?? [range];

/** The segments of a range of time; of those that lie in it only in part, the known parts that do. */
export function rangesWithin(segments: readonly Segment[], range: TimeRange): RowRange[] {
  const whole = inRange(segments, range).map(wholeRange);
  const parts = whole.flatMap((one) => (isWhollyIn(one, range) ? [one] : smallestParts(one)));
  return inRange(parts, range);
}

export async function readParts(
  range: RowRange,
  storage: SegmentStorage,
  session: RunSession,
): Promise<readonly RowRange[]> {
  const { segment } = range;
  using borrowed = await storage.borrow([segment]);
  const [path = ''] = borrowed.paths;
  try {
    const parts = await partsIn(range, path, session);
    const ofSegment = known.get(segment) ?? new Map<string, readonly RowRange[]>();
    known.set(segment, ofSegment.set(keyOf(range), parts));
    return parts;
  } catch (error) {
    throw await blamed(error, storage, [segment]);
  }
}

async function partsIn(range: RowRange, path: string, session: RunSession): Promise<readonly RowRange[]> {
  const isWhole = range.rows === range.segment.rows;
  const groups = isWhole ? await read(range, rowGroups(path), session) : [];
  return groups.length > 1 ? groups : await read(range, blocks(range, path), session);
}

/** Rows, first and last time of each row group. */
const rowGroups = (path: string): string =>
  `select row_group_num_rows, epoch_ms(stats_min_value::timestamp), epoch_ms(stats_max_value::timestamp)
   from parquet_metadata(${quotedText(path)}) where path_in_schema = '_time' order by row_group_id`;

const blocks = ({ from, rows }: RowRange, path: string): string =>
  `select count(*), epoch_ms(min(_time)), epoch_ms(max(_time)) from ${timesSource([path])}
   where file_row_number >= ${from} and file_row_number < ${from + rows}
   group by (file_row_number - ${from}) // ${BLOCK_ROWS} order by min(file_row_number)`;

async function read({ segment, from }: RowRange, text: string, session: RunSession): Promise<RowRange[]> {
  let next = from;
  return (await session.rows({ text, values: [], types: [], isLasting: true })).map((row) => {
    const [rows = 0, minTime = 0, maxTime = 0] = row.map(Number);
    next += rows;
    return { segment, from: next - rows, rows, minTime, maxTime };
  });
}
