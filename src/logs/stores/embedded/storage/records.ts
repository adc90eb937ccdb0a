// The records of a table as DuckDB reads and writes them. Every column has a number in the files of its table, so that
// reading needs to know neither which file has which columns nor to look into all of them beforehand.

import type { Layout } from '#logs/log-store.ts';
import { type FileColumn, filesSource } from '#logs/runs/duckdb/files-source.ts';
import { quotedName } from '#logs/runs/duckdb/quote.ts';
import type { TextColumn } from '#logs/stores/embedded/text-index/build-filter.ts';
import type { StoredColumns } from '#logs/stores/shared/columns.ts';
import { type Leaves, leafColumns } from '#logs/stores/shared/leaves.ts';
import { columnsOfRest, leafTexts, wholeRest } from './leaf-sql.ts';

/** The row layout stores all fields in one column; the columnar layout those that do not fit their columns. */
export const overflowOf = (layout: Layout): '_doc' | '_rest' => (layout === 'row' ? '_doc' : '_rest');

/** The columns of every record, with their types. */
const ownColumns = (layout: Layout): [string, string][] => [
  ['_id', 'BIGINT'],
  ['_time', 'TIMESTAMP'],
  [overflowOf(layout), 'JSON'],
];

/** The number of the column `overflowOf`. */
export const OVERFLOW_NUMBER = 3;

/** Of a table: its columns as they are known by now. */
export interface Stored {
  readonly layout: Layout;
  readonly columns: StoredColumns;
  readonly leaves: Leaves;
}

/** Columns that a file has for a while beside those of its table, with their types. */
type Extra = readonly (readonly [string, string])[];

/** No column of a table has the number of such a column. */
const FIRST_EXTRA_NUMBER = 2 ** 30;

/** All columns of a table but those of leaves, with their numbers. */
const allColumns = ({ layout, columns }: Stored, extra: Extra = []): FileColumn[] => [
  ...ownColumns(layout).map(([name, type], index) => ({ number: index + 1, name, type })),
  ...(layout === 'row' ? [] : columns.entries().map(([name, { number, type }]) => ({ number, name, type }))),
  ...extra.map(([name, type], index) => ({ number: FIRST_EXTRA_NUMBER + index, name, type })),
];

/** The columns that hold texts, but for those of leaves. */
export const textColumns = (stored: Stored): TextColumn[] =>
  allColumns(stored).flatMap(({ name, number, type }) =>
    type === 'VARCHAR' || type === 'JSON'
      ? [{ name, number, type: 'VARCHAR', words: number, form: type === 'JSON' ? 'json' : 'text' }]
      : [],
  );

/** Those of files whose words are searched: leaves are searched as parts of the object that they were in. */
export const searchedColumns = (stored: Stored): TextColumn[] => [
  ...textColumns(stored),
  ...leafTexts(stored.leaves).map((column) => ({ ...column, words: OVERFLOW_NUMBER })),
];

/** The option of a COPY that writes the numbers; `names` are the columns that it writes beside our own. */
export function fieldIds(stored: Stored, names: Iterable<string>, extra: Extra = []): string {
  const all = [...allColumns(stored, extra), ...leafColumns(stored.leaves)];
  const numbers = new Map(all.map(({ name, number }) => [name, number]));
  const beside = [...(stored.layout === 'row' ? [] : names), ...extra.map(([name]) => name)];
  const written = [...ownColumns(stored.layout).map(([name]) => name), ...beside];
  return `field_ids {${written.map((name) => `${quotedName(name)}: ${numbers.get(name)}`).join(', ')}}`;
}

/** A source over segments: all columns of the table as files have them, null where a file has none. */
export const segmentsSource = (paths: readonly string[], stored: Stored, extra: Extra = []): string =>
  filesSource(paths, [...allColumns(stored, extra), ...leafColumns(stored.leaves)]);

/** The times of the records of files. */
export const timesSource = (paths: readonly string[]): string =>
  filesSource(paths, [{ number: 2, name: '_time', type: 'TIMESTAMP' }]);

/** Files that are read whole, and parts of files by the numbers of their rows. */
export interface SourceFiles {
  readonly paths: readonly string[];
  /** Of the files that are read whole. */
  readonly rows?: number;
  readonly parts?: readonly FilePart[];
}

/** The rows from number `from` up to `to`, which is not among them. */
interface FilePart {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The columns of files that a SELECT reads, by their names in it; `_time` is always among them. */
export interface ReadColumns {
  readonly columns: ReadonlySet<string>;
  readonly hasRest: boolean;
  /** Of `_rest` fields that are read, as far as they may have columns of leaves; absent: all. */
  readonly restFields?: ReadonlySet<string>;
}

export const TIMES_ALONE: ReadColumns = { columns: new Set(), hasRest: false };

/** What a SELECT reads, and how. */
interface RecordsRead extends SourceFiles {
  readonly hotTables: readonly string[];
  /** The path of a file without a row (`writeEmptyFile`): with it a large file is read by several threads. */
  readonly emptyFile?: string | undefined;
}

/**
 * A SELECT over records in files and in memory: `_id`, `_time`, the columns and `_rest`. Those of files that are not read may be
 * left out: DuckDB binds each column that is spelled out, at every run of a statement.
 */
export function recordsSource(
  { paths, rows: wholeRows = 0, parts = [], hotTables, emptyFile }: RecordsRead,
  stored: Stored,
  reads?: ReadColumns,
): string {
  const all = [...allColumns(stored), ...(reads ? leafColumns(stored.leaves) : [])];
  const columns = reads ? all.filter(({ name }) => isReadBy(reads, name)) : all;
  const listed = listedColumns(columns, stored, reads);
  const files = [
    ...(paths.length === 0 ? [] : [filesSource(forThreads(paths, wholeRows, emptyFile), listed.columns)]),
    ...parts.map((part) => partSource(part, forThreads([part.path], part.to - part.from, emptyFile), listed.columns)),
  ].map((source) => `select ${listed.list} from ${source}`);
  if (hotTables.length === 0 && files.length > 0) return files.join(' union all ');
  // A table in memory has only the columns that its own records use, whether they are read or not.
  const rows = [noRecords(columns), ...files, ...hotTables.map((hot) => hotSelect(hot, stored, listed))];
  return `select ${columns.map(({ name }) => shownName(name)).join(', ')} from (${rows.join(' union all by name ')})`;
}

/** `_rest` of fresh records is put together, too, where their table has leaves. */
function hotSelect(hot: string, { layout }: Stored, { columns, list, isJoined }: ListedColumns): string {
  if (layout === 'row') return `select _id, _time, _doc as _rest from ${hot}`;
  const all = `select * from ${hot}`;
  return isJoined ? `select ${list} from (${noRecords(columns)} union all by name ${all})` : all;
}

interface ListedColumns {
  readonly columns: readonly FileColumn[];
  readonly list: string;
  /** Whether `_rest` is put together. */
  readonly isJoined: boolean;
}

/** What a SELECT of `columns` lists of which columns of files: `_rest` may have to be put together. */
function listedColumns(columns: readonly FileColumn[], { layout, leaves }: Stored, reads?: ReadColumns): ListedColumns {
  if (layout === 'row') {
    return { columns, list: columns.map(({ name }) => `${name} as ${shownName(name)}`).join(', '), isJoined: false };
  }
  const read = reads && !reads.hasRest ? [] : columnsOfRest(leaves, reads?.restFields);
  if (read.length === 0) return { columns, list: '*', isJoined: false };
  const known = new Set(columns.map(({ number }) => number));
  const beside = read.filter(({ number }) => !known.has(number));
  const hidden = beside.map(({ name }) => quotedName(name)).join(', ');
  const rest = wholeRest(leaves, reads?.restFields);
  const list = hidden === '' ? `* replace (${rest} as _rest)` : `* exclude (${hidden}) replace (${rest} as _rest)`;
  return { columns: [...columns, ...beside], list, isJoined: true };
}

/** A thread reads a row group at least. */
const ROWS_PER_THREAD = 122_880;

const forThreads = (paths: readonly string[], rows: number, emptyFile: string | undefined): readonly string[] =>
  paths.length === 1 && rows > ROWS_PER_THREAD && emptyFile !== undefined ? [...paths, emptyFile] : paths;

const shownName = (name: string): string => quotedName(name === '_doc' ? '_rest' : name);

function isReadBy({ columns, hasRest }: ReadColumns, name: string): boolean {
  if (name === '_time') return true;
  return name === '_rest' || name === '_doc' ? hasRest : columns.has(name);
}

/** Row groups without such a row are not read: DuckDB compares a number of rows with theirs only where it stands alone. */
function partSource({ from, to }: FilePart, paths: readonly string[], columns: readonly FileColumn[]): string {
  const isPart = `where file_row_number >= ${from} and file_row_number < ${to}`;
  const hiding = columns.find(({ name }) => name.toLowerCase() === 'file_row_number');
  if (!hiding) return `${filesSource(paths, columns)} ${isPart}`;
  // A field of this name would be compared in place of the number of the row.
  const shown = columns.map((column) => (column === hiding ? { ...column, name: HIDDEN } : column));
  const names = `* rename (${quotedName(HIDDEN)} as ${quotedName(hiding.name)})`;
  return `(select ${names} from ${filesSource(paths, shown)} ${isPart})`;
}

/** No field has this name. */
const HIDDEN = '_doc';

const noRecords = (columns: readonly FileColumn[]): string =>
  `select ${columns.map(({ name, type }) => `null::${type} as ${shownName(name)}`).join(', ')} where false`;
