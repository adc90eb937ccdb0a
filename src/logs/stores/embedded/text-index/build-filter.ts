// Makes the filter of a segment from its Parquet file. DuckDB joins the texts of a column; columns whose values repeat have a
// dictionary in the file, and give each value once.

import type { DuckDBBlobValue, DuckDBValue } from '@duckdb/node-api';
import { type FileColumn, filesSource } from '#logs/runs/duckdb/files-source.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { type GroupFilter, UNDECIDED } from './group-filter.ts';
import { encodeFilter } from './segment-filter.ts';
import { type ColumnTexts, collectorFor, type TextForm, type WordCollector } from './word-collector.ts';

/** Texts of a column that are read at once: the main thread hands them on in a few milliseconds. */
const READ_BYTES = 8 * 1024 * 1024;

/** Texts of one column in one group; a group with more has no filter. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** Of the bytes of the segment: room for the head of the file is left below the twentieth that an index may take. */
const MAX_SHARE = 0.0485;

export interface TextColumn extends FileColumn {
  /** The number that its words have in the filter: unique and for ever the same in its table. */
  readonly words: number;
  readonly form: TextForm;
  /** SQL of the text of a value; absent where values are texts. */
  readonly textOf?: (value: string) => string;
}

interface SegmentTexts {
  readonly instance: Instance;
  readonly path: string;
  readonly columns: readonly TextColumn[];
  readonly rows: number;
  readonly bytes: number;
}

/** The file of the filter. Rejects with the reason of `gone`. */
export async function buildFilter(segment: SegmentTexts, gone: AbortSignal): Promise<Buffer> {
  const groups = await groupsOf(segment);
  const textBytes = groups.flatMap(({ chunks }) => chunks).reduce((sum, { bytes }) => sum + bytes, 0);
  await using collector = collectorFor({ rows: segment.rows, textBytes }, gone);
  const filters: GroupFilter[] = [];
  for (const joined of withSmallLast(groups)) {
    gone.throwIfAborted();
    filters.push(await filterOf(joined, segment, collector));
  }
  return encodeFilter(filters);
}

interface Group {
  readonly rows: number;
  /** The number of its first row in the file. */
  readonly first: number;
  readonly chunks: readonly Chunk[];
}

/** A last group of less than so many of the rows before it has no filter of its own. */
const SMALL_SHARE = 0.5;

/**
 * The row groups that share a filter: the last one of a file is small, and joins the one before. It repeats most of the words
 * and parts of words there, for which its own share of the bytes has no room: every search for a part of a word would read it.
 */
export function withSmallLast<G extends { readonly rows: number }>(groups: readonly G[]): G[][] {
  const last = groups.at(-1);
  const before = groups.at(-2);
  if (!last || !before || last.rows >= before.rows * SMALL_SHARE) return groups.map((group) => [group]);
  return [...groups.slice(0, -2).map((group) => [group]), [before, last]];
}

/** A column in a group. */
interface Chunk extends TextColumn {
  readonly hasDictionary: boolean;
  readonly bytes: number;
}

async function groupsOf({ instance, path, columns }: SegmentTexts): Promise<Group[]> {
  const known = new Map(columns.map((column) => [column.number, column]));
  // The first entry is the root; files of segments have no nested columns.
  const [, ...stored] = await instance.run(`select field_id, type from parquet_schema(${quotedText(path)})`);
  const rows = await instance.run(
    `select row_group_id, row_group_num_rows, column_id, encodings, total_uncompressed_size
     from parquet_metadata(${quotedText(path)}) order by row_group_id, column_id`,
  );
  const textChunk = (chunk: Record<string, DuckDBValue>): Chunk[] => {
    const { field_id: number, type } = stored[Number(chunk.column_id)] ?? {};
    const column = known.get(Number(number));
    if (!column && type === 'BYTE_ARRAY') throw new Error('a segment has a text column that its table does not know');
    if (!column) return [];
    const hasDictionary = String(chunk.encodings).includes('DICTIONARY');
    return [{ ...column, hasDictionary, bytes: Number(chunk.total_uncompressed_size) }];
  };
  let next = 0;
  return [...Map.groupBy(rows, (row) => Number(row.row_group_id)).values()].map((chunks) => {
    const first = next;
    const own = Number(chunks[0]?.row_group_num_rows);
    next += own;
    return { rows: own, first, chunks: chunks.flatMap(textChunk) };
  });
}

/** One filter of row groups that follow each other. */
async function filterOf(
  groups: readonly Group[],
  segment: SegmentTexts,
  collector: WordCollector,
): Promise<GroupFilter> {
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  if (groups.some(({ chunks }) => chunks.some(({ bytes }) => bytes > MAX_TEXT_BYTES))) return { ...UNDECIDED, rows };
  for (const group of groups) await collect(group, segment, collector);
  return await collector.filter({ rows, maxBytes: (segment.bytes * MAX_SHARE * rows) / segment.rows });
}

async function collect({ rows, chunks, first }: Group, segment: SegmentTexts, collector: WordCollector): Promise<void> {
  for (const some of readTogether(chunks)) {
    const bytes = some.reduce((sum, chunk) => sum + chunk.bytes, 0);
    const isWhole = some.every(({ hasDictionary }) => hasDictionary);
    const parts = isWhole ? 1 : Math.ceil(bytes / READ_BYTES);
    const step = Math.ceil(rows / Math.max(parts, 1));
    for (let from = 0; from < rows; from += step) {
      const texts = await textsOf(some, segment, { from: first + from, to: first + Math.min(from + step, rows) });
      for (const one of texts) await collector.add(one);
    }
  }
}

/** Columns that one statement reads: small ones share it. */
function readTogether(chunks: readonly Chunk[]): Chunk[][] {
  const together: Chunk[][] = [];
  let bytes = READ_BYTES;
  for (const chunk of chunks) {
    bytes += chunk.bytes;
    if (bytes > READ_BYTES) {
      together.push([]);
      bytes = chunk.bytes;
    }
    together.at(-1)?.push(chunk);
  }
  return together;
}

/** Those of columns that have a value. */
async function textsOf(
  chunks: readonly Chunk[],
  { instance, path }: SegmentTexts,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ColumnTexts[]> {
  const columns = chunks.map(({ number, type }, index) => ({ number, type, name: `c${index}` }));
  const texts = chunks.map(({ textOf, hasDictionary }, index) => {
    const values = `${hasDictionary ? 'distinct ' : ''}c${index}`;
    return textOf ? joinedTexts(values, `c${index}`, textOf) : `string_agg(${values}, chr(0))`;
  });
  const list = texts.map((text, index) => `encode(${text}) as t${index}`);
  const [row] = await instance.run(
    `select ${list.join(', ')} from ${filesSource([path], columns)}
     where file_row_number >= ${from} and file_row_number < ${to}`,
  );
  return chunks.flatMap(({ words, form }, index) => {
    const found = row?.[`t${index}`];
    return isBlob(found) ? [{ bytes: found.bytes, column: words, form }] : [];
  });
}

/** The text of a value is made once, however often it is there. */
const joinedTexts = (values: string, value: string, textOf: (value: string) => string): string =>
  `array_to_string(list_transform(list(${values}) filter (where ${value} is not null), lambda x: ${textOf('x')}), chr(0))`;

const isBlob = (value: DuckDBValue | undefined): value is DuckDBBlobValue =>
  typeof value === 'object' && value !== null && 'bytes' in value;
