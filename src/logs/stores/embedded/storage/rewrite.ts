// Making segments: out of a full generation, and out of any other records of one day.

import { join } from 'node:path';
import { makeFolder } from '#files/durable.ts';
import type { Day, Days } from '#kernel/time/days.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { ColumnRegistry, StoredColumns } from '#logs/stores/shared/columns.ts';
import { leafColumns } from '#logs/stores/shared/leaves.ts';
import { PRESENT_FORM, type Segment, type SegmentForm } from './catalog.ts';
import type { SealedRows } from './hot-table.ts';
import { withLeaves } from './leaf-sql.ts';
import { learntShapes } from './learnt-shapes.ts';
import { CODECS, type Codec, type Content, writeSegment } from './segment-file.ts';
import type { SegmentStorage } from './segment-storage.ts';

/** What the segments of a table are made with. */
export interface SegmentParts {
  readonly storage: SegmentStorage;
  readonly folder: string;
  readonly spec: TableSpec;
  /** All of the table, as they are now. */
  readonly columns: StoredColumns;
  /** Learns the leaves of the table, and columns of values that were in `_rest`. */
  readonly registry: ColumnRegistry;
}

export const dayRanges = (names: Iterable<string>, days: Days): Day[] =>
  [...names].sort().map((name) => days.named(name));

interface Sealed {
  readonly from: SealedRows;
  readonly rows: number;
  readonly recordBytes: number;
  readonly ranges: readonly Day[];
  /** Of the files. */
  readonly name: string;
  /** Whether the records come in the order of their times. */
  readonly isSorted: boolean;
}

/** One segment for each day that has records, named `name` in the folder of its day. */
export async function seal(sealed: Sealed, parts: SegmentParts): Promise<Segment[]> {
  const { from, ranges, isSorted } = sealed;
  const segments: Segment[] = [];
  for (const day of ranges) {
    const { source, rows } = ranges.length === 1 ? { ...from, rows: sealed.rows } : await ofDay(from, day, parts);
    const recordBytes = Math.round((sealed.recordBytes * rows) / Math.max(1, sealed.rows));
    const { columns, leafNames } = from;
    const content = { source, rows, recordBytes, names: columns.keys(), leafNames, isSorted };
    const target = {
      day: day.name,
      name: `${sealed.name}.parquet`,
      codec: CODECS[parts.spec.compression],
      form: PRESENT_FORM,
    };
    segments.push(await segmentFrom(content, target, parts));
  }
  return segments;
}

async function ofDay({ source }: SealedRows, { begins, ends }: Day, { storage }: SegmentParts) {
  const ofDay = `select * from (${source}) where _time >= epoch_ms(${begins}::bigint) and _time < epoch_ms(${ends}::bigint)`;
  const [counted] = await storage.instance.run(`select count(*)::double as total from (${ofDay})`);
  return { source: ofDay, rows: Number(counted?.total) };
}

interface SegmentTarget {
  readonly day: string;
  /** Of the file in the folder of its day. */
  readonly name: string;
  readonly codec: Codec;
  readonly form: SegmentForm;
  /** Whether objects that are still in `_rest` go to columns, which takes as long as the rest of a merge. */
  readonly takesLeaves?: boolean;
}

/** One segment of one day. */
export async function segmentFrom(
  content: Content & { readonly leafNames: ReadonlySet<string> },
  { day, name, codec, form, takesLeaves = false }: SegmentTarget,
  { storage, folder, spec, columns, registry }: SegmentParts,
): Promise<Segment> {
  await makeFolder(join(folder, day));
  const file = join(day, name);
  const isDivided = takesLeaves && spec.layout !== 'row';
  const shapes = isDivided ? await learntShapes(storage.instance, content, registry) : [];
  // Learnt with the shapes.
  const { leaves } = registry;
  const stored = { layout: spec.layout, columns, leaves };
  const known = content.leafNames;
  const names = shapes.length === 0 ? known : leafColumns(leaves).map((column) => column.name);
  const source = shapes.length === 0 ? content.source : withLeaves(content.source, { leaves, shapes, known });
  const divided = { ...content, source, names: [...content.names, ...names] };
  return { day, file, form, ...(await writeSegment(storage, divided, { file, codec, stored })) };
}
