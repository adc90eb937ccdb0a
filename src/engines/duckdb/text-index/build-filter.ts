// Makes the filter of a segment from its Parquet file. DuckDB joins the texts of a column; columns whose values repeat have a
// dictionary in the file, and give each value once.

import type { DuckDBBlobValue, DuckDBValue } from '@duckdb/node-api';
import { filesSource } from '#engines/duckdb/instance/files-source.ts';
import type { Instance } from '#engines/duckdb/instance/instance.ts';
import { quotedText } from '#engines/duckdb/instance/quote.ts';
import { type GroupFilter, UNDECIDED } from './group-filter.ts';
import { encodeFilter } from './segment-filter.ts';
import { collectorFor, type WordCollector } from './word-collector.ts';

/** Texts of a column that are read at once: the main thread hands them on in a few milliseconds. */
const READ_BYTES = 8 * 1024 * 1024;

/** Texts of one column in one group; a group with more has no filter. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** Of the bytes of the segment: room for the head of the file is left below the twentieth that an index may take. */
const MAX_SHARE = 0.0485;

export interface TextColumn {
  readonly name: string;
  /** Unique and for ever the same in its table. */
  readonly number: number;
  readonly isJson: boolean;
}

interface SegmentTexts {
  readonly instance: Instance;
  readonly path: string;
  readonly columns: readonly TextColumn[];
  readonly rows: number;
  readonly bytes: number;
}

/** The file of the filter. */
export async function buildFilter(segment: SegmentTexts): Promise<Buffer> {
  const groups = await groupsOf(segment);
  const textBytes = groups.flatMap(({ chunks }) => chunks).reduce((sum, { bytes }) => sum + bytes, 0);
  await using collector = collectorFor({ rows: segment.rows, textBytes });
  const filters: GroupFilter[] = [];
  let first = 0;
  for (const group of groups) {
    filters.push(await filterOf({ ...group, first }, segment, collector));
    first += group.rows;
  }
  return encodeFilter(filters);
}

interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

/** A column in a group. */
interface Chunk extends TextColumn {
  readonly hasDictionary: boolean;
  readonly bytes: number;
}

async function groupsOf({ instance, path, columns }: SegmentTexts): Promise<Group[]> {
  const known = new Map(columns.map((column) => [column.name, column]));
  // The first entry is the root; files of segments have no nested columns.
  const [, ...stored] = await instance.run(`select name, type from parquet_schema(${quotedText(path)})`);
  const rows = await instance.run(
    `select row_group_id, row_group_num_rows, column_id, encodings, total_uncompressed_size
     from parquet_metadata(${quotedText(path)}) order by row_group_id, column_id`,
  );
  return [...Map.groupBy(rows, (row) => Number(row.row_group_id)).values()].map((chunks) => ({
    rows: Number(chunks[0]?.row_group_num_rows),
    chunks: chunks.flatMap(({ column_id, encodings, total_uncompressed_size }) => {
      const { name, type } = stored[Number(column_id)] ?? {};
      if (type !== 'BYTE_ARRAY') return [];
      const column = known.get(String(name));
      if (!column) throw new Error('a segment has a text column that its table does not know');
      const hasDictionary = String(encodings).includes('DICTIONARY');
      return [{ ...column, hasDictionary, bytes: Number(total_uncompressed_size) }];
    }),
  }));
}

async function filterOf(
  { rows, chunks, first }: Group & { readonly first: number },
  segment: SegmentTexts,
  collector: WordCollector,
): Promise<GroupFilter> {
  if (chunks.some(({ bytes }) => bytes > MAX_TEXT_BYTES)) return { ...UNDECIDED, rows };
  for (const chunk of chunks) {
    const parts = chunk.hasDictionary ? 1 : Math.ceil(chunk.bytes / READ_BYTES);
    const step = Math.ceil(rows / Math.max(parts, 1));
    for (let from = 0; from < rows; from += step) {
      const bytes = await textsOf(chunk, segment, { from: first + from, to: first + Math.min(from + step, rows) });
      if (bytes) await collector.add({ bytes, column: chunk.number, isJson: chunk.isJson });
    }
  }
  return await collector.filter({ rows, maxBytes: (segment.bytes * MAX_SHARE * rows) / segment.rows });
}

/** Undefined where all values are null. */
async function textsOf(
  { number, hasDictionary }: Chunk,
  { instance, path }: SegmentTexts,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Uint8Array | undefined> {
  const texts = `string_agg(${hasDictionary ? 'distinct ' : ''}value, chr(0))`;
  const source = filesSource([path], [{ number, name: 'value', type: 'VARCHAR' }]);
  const [row] = await instance.run(
    `select encode(${texts}) as texts from ${source}
     where file_row_number >= ${from} and file_row_number < ${to}`,
  );
  return isBlob(row?.texts) ? row.texts.bytes : undefined;
}

const isBlob = (value: DuckDBValue | undefined): value is DuckDBBlobValue =>
  typeof value === 'object' && value !== null && 'bytes' in value;
