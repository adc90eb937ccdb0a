// Making segments: out of a full generation, and out of several small segments of one day.

import { dirname, join } from 'node:path';
import type { Segment } from '#engines/catalog.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { Day, Days } from '#kernel/days.ts';
import { madeFolder } from './durable.ts';
import type { HotTable } from './hot-table.ts';
import type { Duck } from './instance.ts';
import { quotedText } from './quote.ts';
import { type Content, writeSegment } from './segment-file.ts';

/** Segments with fewer records are merged when a day has several of them. */
const SMALL_ROWS = 50_000;
const SMALL_SEGMENTS = 4;

interface Parts {
  readonly duck: Duck;
  readonly folder: string;
  readonly spec: TableSpec;
}

export const dayRanges = (names: ReadonlySet<string>, days: Days): Day[] =>
  [...names].sort().map((name) => days.named(name));

/** One segment for each day that has records, named `name` in the folder of its day. */
export async function sealed(
  hot: HotTable,
  { ranges, name: fileName, ...parts }: Parts & { ranges: readonly Day[]; name: string },
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const { name, begins, ends } of ranges) {
    const source = `select * from ${hot.name} where _time >= epoch_ms(${begins}::bigint) and _time < epoch_ms(${ends}::bigint)`;
    segments.push(await segmentFrom({ source, isSorted: false }, name, `${fileName}.parquet`, parts));
  }
  return segments;
}

/** Undefined when no day has enough small segments. */
export async function compacted(
  segments: readonly Segment[],
  parts: Parts,
): Promise<{ from: readonly Segment[]; into: Segment } | undefined> {
  const small = Map.groupBy(
    segments.filter(({ rows }) => rows < SMALL_ROWS),
    ({ day }) => day,
  );
  for (const [day, from] of small) {
    if (from.length < SMALL_SEGMENTS) continue;
    const files = from.map(({ file }) => quotedText(join(parts.folder, file))).join(', ');
    const [first, last] = [Math.min(...from.map(({ minId }) => minId)), Math.max(...from.map(({ maxId }) => maxId))];
    const source = `select * from read_parquet([${files}], union_by_name = true)`;
    const rows = from.reduce((total, segment) => total + segment.rows, 0);
    // A merge that was cut off may be made again under the same name, but no two merges have the same: records staged
    // long ago may come between the ids of a former merge, and then there are more of them.
    return {
      from,
      into: await segmentFrom({ source, isSorted: false }, day, `${first}-${last}-${rows}.parquet`, parts),
    };
  }
  return undefined;
}

/** One segment of one day. */
export async function segmentFrom(
  content: Content,
  day: string,
  name: string,
  { duck, folder, spec }: Parts,
): Promise<Segment> {
  const file = join(day, name);
  const path = join(folder, file);
  await madeFolder(dirname(path));
  const written = await writeSegment(duck, content, { file: path, compression: spec.compression });
  return { day, file, ...written };
}
