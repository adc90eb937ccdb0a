// Making segments: out of a full generation, and out of several small segments of one day.

import { join } from 'node:path';
import { ApiError } from '#contract/errors.ts';
import type { TableSpec } from '#engines/engine.ts';
import { makeFolder } from '#files/durable.ts';
import type { Day, Days } from '#kernel/days.ts';
import type { Segment } from './catalog.ts';
import type { Columns } from './columns.ts';
import type { HotTable } from './hot-table.ts';
import { segmentsSource } from './records.ts';
import { type Content, writeSegment } from './segment-file.ts';
import { blamed, type SegmentStorage } from './segment-storage.ts';

/** Segments with fewer records are merged when a day has several of them. */
const SMALL_ROWS = 50_000;
const SMALL_SEGMENTS = 4;

interface Parts {
  readonly storage: SegmentStorage;
  readonly folder: string;
  readonly spec: TableSpec;
  /** All of the table, as they are now. */
  readonly columns: Columns;
}

export const dayRanges = (names: ReadonlySet<string>, days: Days): Day[] =>
  [...names].sort().map((name) => days.named(name));

/** One segment for each day that has records, named `name` in the folder of its day. */
export async function seal(
  hot: HotTable,
  { ranges, name: fileName, ...deps }: Parts & { ranges: readonly Day[]; name: string },
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const { name, begins, ends } of ranges) {
    const source = `select * from ${hot.name} where _time >= epoch_ms(${begins}::bigint) and _time < epoch_ms(${ends}::bigint)`;
    segments.push(
      await segmentFrom({ source, names: hot.columns.keys(), isSorted: false }, name, `${fileName}.parquet`, deps),
    );
  }
  return segments;
}

interface Merge {
  readonly from: readonly Segment[];
  readonly into: Segment;
}

/** Undefined when no day has enough small segments. A day that cannot be read now is skipped. */
export async function compact(segments: readonly Segment[], deps: Parts): Promise<Merge | undefined> {
  const small = Map.groupBy(
    segments.filter(({ rows }) => rows < SMALL_ROWS),
    ({ day }) => day,
  );
  for (const [day, from] of small) {
    const merge = from.length < SMALL_SEGMENTS ? undefined : await merged(day, from, deps).catch(unlessRefused);
    if (merge) return merge;
  }
  return undefined;
}

async function merged(day: string, from: readonly Segment[], deps: Parts): Promise<Merge> {
  using borrowed = await deps.storage.borrow(from);
  const [first, last] = [Math.min(...from.map(({ minId }) => minId)), Math.max(...from.map(({ maxId }) => maxId))];
  const { columns, spec } = deps;
  const source = `select * from ${segmentsSource(borrowed.paths, { ...spec, columns })}`;
  const rows = from.reduce((total, segment) => total + segment.rows, 0);
  // A merge that was cut off may be made again under the same name, but no two merges have the same: records staged
  // long ago may come between the ids of a former merge, and then there are more of them.
  const name = `${first}-${last}-${rows}.parquet`;
  try {
    return { from, into: await segmentFrom({ source, names: columns.keys(), isSorted: false }, day, name, deps) };
  } catch (error) {
    throw await blamed(error, deps.storage, from);
  }
}

/** Corruption was reported where it was found; a merge that found no room in memory is tried again. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** One segment of one day. */
export async function segmentFrom(content: Content, day: string, name: string, deps: Parts): Promise<Segment> {
  const { storage, folder, spec, columns } = deps;
  await makeFolder(join(folder, day));
  const file = join(day, name);
  const { compression, layout } = spec;
  return { day, file, ...(await writeSegment(storage, content, { file, compression, stored: { layout, columns } })) };
}
