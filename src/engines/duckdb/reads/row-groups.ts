// The row groups of segments: like a segment, each has rows between two times. They are read once for every segment, since
// no file ever changes.

import { quotedText } from '#engines/duckdb/instance/quote.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import type { Segment } from '#engines/duckdb/storage/catalog.ts';
import type { TimedRows } from './segment-selection.ts';

const known = new WeakMap<Segment, readonly TimedRows[]>();

/** `paths` are where the segments are found, in their order. */
export async function rowGroups(
  segments: readonly Segment[],
  paths: readonly string[],
  session: RunSession,
): Promise<TimedRows[]> {
  for (const [index, segment] of segments.entries()) {
    const path = paths[index];
    if (path !== undefined && !known.has(segment)) known.set(segment, await groupsIn(path, session));
  }
  return segments.flatMap((segment) => known.get(segment) ?? []);
}

async function groupsIn(path: string, session: RunSession): Promise<TimedRows[]> {
  const text = `select row_group_num_rows, epoch_ms(stats_min_value::timestamp), epoch_ms(stats_max_value::timestamp)
    from parquet_metadata(${quotedText(path)}) where path_in_schema = '_time'`;
  const groups = await session.rows({ text, values: [], types: [] });
  return groups.map(([rows, minTime, maxTime]) => ({
    rows: Number(rows),
    minTime: Number(minTime),
    maxTime: Number(maxTime),
  }));
}
