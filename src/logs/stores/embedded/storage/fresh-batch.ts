// A batch of records on its way into a hot table: the lines of a journal frame, or a file.

import { FIELD_FATES } from '#logs/log-store.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { StoredColumns } from '#logs/stores/shared/columns.ts';
import { type LeafFileColumn, type Leaves, leafColumns } from '#logs/stores/shared/leaves.ts';
import { columnOf, type FrameFile } from './file-frames.ts';
import type { Scratch } from './segment-storage.ts';

/** `columns` are those that its records use. */
export type FreshBatch = FreshLines | FreshFile;

export interface FreshLines {
  readonly lines: Buffer;
  readonly columns: StoredColumns;
}

export interface FreshFile {
  readonly file: Scratch;
  readonly bytes: number;
  readonly columns: StoredColumns;
  /** Of its columns, by name: a column may have had another number when the file was written. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Numbers of the columns of leaves that it has. */
  readonly leaves: readonly number[];
}

export const isFile = (batch: FreshBatch): batch is FreshFile => 'file' in batch;

export const bytesOf = (batch: FreshBatch): number => (isFile(batch) ? batch.bytes : batch.lines.length);

/** Writes the file of a frame to where DuckDB can read it. */
export async function freshFile(
  { bytes, size, fields, leaves = [] }: FrameFile,
  columns: StoredColumns,
  scratch: () => Promise<Scratch>,
): Promise<FreshFile> {
  const file = await scratch();
  try {
    await file.append(bytes.subarray(0, size));
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
  const numbers = new Map(fields.flatMap((field) => columnOf(field).map((column) => [column, field.number] as const)));
  return { file, bytes: size, columns, numbers, leaves };
}

/** StoredColumns only widen, and the latest of a name is the widest. */
export const columnsOf = (batches: readonly FreshBatch[]): StoredColumns =>
  new Map(batches.flatMap(({ columns }) => [...columns]));

/** The columns of leaves that some of the files have. */
export function leavesOf(files: readonly FreshFile[], leaves: Leaves): LeafFileColumn[] {
  const used = new Set(files.flatMap((file) => file.leaves));
  const known = leafColumns(leaves).filter(({ number }) => used.has(number));
  if (known.length < used.size) throw new Error('a file has leaves that the catalog does not know');
  return known;
}

/** A SELECT over the records of files: `_id`, `_time`, all of `columns`, `_rest`, and all of `leaves`. */
export const filesSource = (
  files: readonly FreshFile[],
  columns: StoredColumns,
  leaves: readonly LeafFileColumn[],
): string =>
  alikeFiles(files)
    .map((some) => alikeSource(some, columns, leaves))
    .join(' union all ');

/** A SELECT of records that have none of `leaves`, with these. */
export function withNullLeaves(source: string, leaves: readonly LeafFileColumn[]): string {
  const nulls = leaves.map(({ name, type }) => `null::${type} as ${quotedName(name)}`);
  return nulls.length === 0 ? source : `select *, ${nulls.join(', ')} from (${source})`;
}

/** Files after one another whose columns have the same numbers. */
function alikeFiles(files: readonly FreshFile[]): FreshFile[][] {
  const alike: FreshFile[][] = [];
  let names = new Map<number, string>();
  let numbers = new Map<string, number>();
  for (const file of files) {
    const isOther = file.numbers
      .entries()
      .some(([name, number]) => (names.get(number) ?? name) !== name || (numbers.get(name) ?? number) !== number);
    if (isOther || alike.length === 0) {
      alike.push([]);
      [names, numbers] = [new Map(), new Map()];
    }
    alike.at(-1)?.push(file);
    for (const [name, number] of file.numbers) {
      names.set(number, name);
      numbers.set(name, number);
    }
  }
  return alike;
}

function alikeSource(files: readonly FreshFile[], columns: StoredColumns, leaves: readonly LeafFileColumn[]): string {
  const numbers = new Map(files.flatMap((one) => [...one.numbers]));
  const schema = [
    ...OWN,
    ...[...numbers].map(([name, number]) => [number, name, columns.get(name)?.type ?? 'VARCHAR'] as const),
    ...leaves.map(({ name, number, type }) => [number, name, type] as const),
  ].map(([number, name, type]) => `${number}: {name: ${quotedText(name)}, type: '${type}', default_value: null}`);
  const paths = files.map(({ file }) => quotedText(file.path)).join(', ');
  const names = [...columns].map(([name, { type }]) =>
    numbers.has(name) ? quotedName(name) : `null::${type} as ${quotedName(name)}`,
  );
  const leafNames = leaves.map(({ name, type }) => (type === 'JSON' ? asRead(quotedName(name)) : quotedName(name)));
  return `select ${['_id', '_time', ...names, asRead('_rest'), ...leafNames].join(', ')}
    from read_parquet([${paths}], schema = map {${schema.join(', ')}})`;
}

/** JSON as it came, in the form that the same has when it is read from a line. */
const asRead = (name: string): string => `case when ${name} is not null then json(${name}) end as ${name}`;

const OWN = [
  [1, '_id', 'BIGINT'],
  [2, '_time', 'TIMESTAMP'],
  [FIELD_FATES.leftOver, '_rest', 'JSON'],
] as const;
