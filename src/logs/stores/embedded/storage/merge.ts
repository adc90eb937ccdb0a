// Merging segments of one day into one file. Records come sorted from files that follow each other in time, so that a merge
// holds a row group in memory and not the whole file; overlaps are sorted into files of their own first.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import { type Leaves, leafColumns, NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import { PRESENT_FORM, type Segment } from './catalog.ts';
import { type Overlap, orderedParts, type Part } from './merge-order.ts';
import { isFormer, type Selected } from './merge-selection.ts';
import { recordBytesOf } from './record-sizes.ts';
import { fieldIds, recordsSource, type Stored, segmentsSource } from './records.ts';
import { type FieldInRest, fieldsInRest, recordsSum, withRestValues } from './rest-values.ts';
import { type SegmentParts, segmentFrom } from './rewrite.ts';
import { CODECS, type Content } from './segment-file.ts';
import { blamed, type SegmentStorage } from './segment-storage.ts';

export async function merge({ from, isDense }: Selected, parts: SegmentParts): Promise<Segment> {
  const first = Math.min(...from.map(({ minId }) => minId));
  const last = Math.max(...from.map(({ maxId }) => maxId));
  const rows = from.reduce((total, segment) => total + segment.rows, 0);
  const recordBytes = from.reduce((total, segment) => total + recordBytesOf(segment), 0);
  const takesForm = parts.spec.layout !== 'row' && from.some(isFormer);
  const codec = isDense ? CODECS.deflate : CODECS[parts.spec.compression];
  // A merge that was cut off may be made again under the same name, but no two merges have the same: records staged
  // long ago may come between the ids of a former merge, and then there are more of them; a file that is written
  // again alone takes another codec, or another form.
  const name = [first, last, rows, codec, ...(takesForm ? [PRESENT_FORM] : [])].join('-');
  try {
    using borrowed = await parts.storage.borrow(from);
    const paths = new Map(from.map((segment, index) => [segment, borrowed.paths[index] ?? '']));
    await using files = new AsyncDisposableStack();
    const fields = takesForm ? await fieldsOf(borrowed.paths, parts) : [];
    const known = { ...parts, columns: parts.registry.stored };
    const merged = await contentOf({ paths, name, files }, known);
    const content = { ...merged, source: withRestValues(merged.source, fields), rows, recordBytes };
    const day = from[0]?.day ?? '';
    const target = { day, name: `${name}.parquet`, codec, form: PRESENT_FORM, takesLeaves: isDense || takesForm };
    const into = await segmentFrom(content, target, known);
    if (into.rows !== rows) throw new Error(`${into.rows} records of ${rows} are in ${into.file}`);
    if (takesForm) await requireSame(borrowed.paths, into, { parts: known, fields });
    return into;
  } catch (error) {
    throw await blamed(error, parts.storage, from);
  }
}

async function fieldsOf(paths: readonly string[], { storage, spec, columns, registry }: SegmentParts) {
  const source = `select _rest from ${segmentsSource(paths, { layout: spec.layout, columns, leaves: NO_LEAVES })}`;
  return await fieldsInRest(storage.instance, source, registry);
}

interface Rewritten {
  readonly parts: SegmentParts;
  readonly fields: readonly FieldInRest[];
}

/** Every record is in the new segment as it was. */
async function requireSame(paths: readonly string[], into: Segment, { parts, fields }: Rewritten): Promise<void> {
  const { storage, spec, registry, folder } = parts;
  // The leaves that were learnt for it are among them.
  const stored = { layout: spec.layout, columns: registry.stored, leaves: registry.leaves };
  using written = await storage.borrow([into]);
  const sums = [paths, written.paths].map((some) =>
    storage.instance.run(recordsSum(recordsSource({ paths: some, hotTables: [] }, stored), stored.columns, fields)),
  );
  const [before, after] = (await Promise.all(sums)).map((rows) => JSON.stringify(rows));
  if (before === after) return;
  await rm(join(folder, into.file), { force: true });
  throw new Error(`${into.file} would differ from its records: ${after} in place of ${before}`);
}

interface Sources {
  readonly paths: ReadonlyMap<Segment, string>;
  readonly name: string;
  /** Files of sorted overlaps, for as long as the merge takes. */
  readonly files: AsyncDisposableStack;
}

type MergedContent = Omit<Content, 'rows' | 'recordBytes'> & { readonly leafNames: ReadonlySet<string> };

async function contentOf(sources: Sources, { registry, ...parts }: SegmentParts): Promise<MergedContent> {
  const { paths } = sources;
  const { spec, columns } = parts;
  const known = await leavesIn([...paths.values()], registry.leaves, parts.storage);
  const stored = { layout: spec.layout, columns, leaves: known };
  const names = [...columns.keys()];
  const leafNames = new Set(leafColumns(known).map(({ name }) => name));
  const ordered = orderedParts([...paths.keys()]);
  const overlaps = ordered.flatMap((part) => ('overlap' in part ? [part.overlap] : []));
  if (overlaps.length === ordered.length) {
    return {
      source: `select * from ${segmentsSource([...paths.values()], stored)}`,
      names,
      leafNames,
      isSorted: false,
    };
  }
  const mark = markName([...names, ...leafNames]);
  const sorted = await sortedOverlaps(overlaps, { ...sources, mark, stored }, parts.storage);
  const pathOf = (part: Part<Segment>) =>
    ('overlap' in part ? sorted.get(part.overlap) : paths.get(part.segment)) ?? '';
  const all = segmentsSource(ordered.map(pathOf), stored, [[mark, 'BOOLEAN']]);
  const isOutside = overlaps.map((overlap) => `not (${isWithin(overlap)})`).join(' and ');
  const wanted = overlaps.length === 0 ? '' : ` where ${quotedName(mark)} is not null or (${isOutside})`;
  return { source: `select * exclude (${quotedName(mark)}) from ${all}${wanted}`, names, leafNames, isSorted: true };
}

/** Those of the leaves of a table that files have columns of. */
async function leavesIn(paths: readonly string[], leaves: Leaves, { instance }: SegmentStorage): Promise<Leaves> {
  if (leaves.fields.length === 0) return leaves;
  const list = paths.map((path) => quotedText(path)).join(', ');
  const rows = await instance.run(`select distinct field_id::integer as number from parquet_schema([${list}])`);
  const numbers = new Set(rows.map(({ number }) => Number(number)));
  const isThere = ({ number }: { readonly number: number }) => numbers.has(number);
  return { fields: leaves.fields.filter(isThere), columns: leaves.columns.filter(isThere) };
}

/** Paths of the files. Their records have a mark: all others of the same time are passed over. */
async function sortedOverlaps(
  overlaps: readonly Overlap<Segment>[],
  { paths, name, files, mark, stored }: Sources & { readonly mark: string; readonly stored: Stored },
  storage: SegmentStorage,
): Promise<Map<Overlap<Segment>, string>> {
  const names = [...stored.columns.keys(), ...leafColumns(stored.leaves).map((column) => column.name)];
  const sorted = new Map<Overlap<Segment>, string>();
  for (const [index, overlap] of overlaps.entries()) {
    const { path } = files.use(await storage.scratch(`${name}-${index}.overlap.parquet`));
    const source = segmentsSource(
      overlap.segments.map((segment) => paths.get(segment) ?? ''),
      stored,
    );
    await storage.instance.run(
      `copy (select *, true as ${quotedName(mark)} from ${source} where ${isWithin(overlap)} order by _time, _id)
       to ${quotedText(path)} (format parquet, compression ${CODECS.snappy}, use_tmp_file false,
         ${fieldIds(stored, names, [[mark, 'BOOLEAN']])})`,
    );
    sorted.set(overlap, path);
  }
  return sorted;
}

const isWithin = ({ from, to }: Overlap<Segment>): string =>
  `_time >= epoch_ms(${from}::bigint) and _time < epoch_ms(${to}::bigint)`;

/** No field of a record has this name. */
function markName(names: Iterable<string>): string {
  const taken = new Set([...names].map((name) => name.toLowerCase()));
  let name = '_sorted';
  while (taken.has(name)) name += '_';
  return name;
}
