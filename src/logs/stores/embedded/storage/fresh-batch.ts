// A batch of records on its way into a hot table: the lines of a journal frame, or a file.

import { FIELD_FATES } from '#logs/log-store.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { StoredColumns } from '#logs/stores/shared/columns.ts';
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
}

export const isFile = (batch: FreshBatch): batch is FreshFile => 'file' in batch;

export const bytesOf = (batch: FreshBatch): number => (isFile(batch) ? batch.bytes : batch.lines.length);

/** Writes the file of a frame to where DuckDB can read it. */
export async function freshFile(
  { bytes, size, fields }: FrameFile,
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
  return { file, bytes: size, columns, numbers };
}

/** StoredColumns only widen, and the latest of a name is the widest. */
export const columnsOf = (batches: readonly FreshBatch[]): StoredColumns =>
  new Map(batches.flatMap(({ columns }) => [...columns]));

/** A SELECT over the records of files: `_id`, `_time`, all of `columns` and `_rest`. */
export const filesSource = (files: readonly FreshFile[], columns: StoredColumns): string =>
  alikeFiles(files)
    .map((some) => alikeSource(some, columns))
    .join(' union all ');

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

function alikeSource(files: readonly FreshFile[], columns: StoredColumns): string {
  const numbers = new Map(files.flatMap((one) => [...one.numbers]));
  const schema = [
    ...OWN,
    ...[...numbers].map(([name, number]) => [number, name, columns.get(name)?.type ?? 'VARCHAR'] as const),
  ].map(([number, name, type]) => `${number}: {name: ${quotedText(name)}, type: '${type}', default_value: null}`);
  const paths = files.map(({ file }) => quotedText(file.path)).join(', ');
  const names = [...columns].map(([name, { type }]) =>
    numbers.has(name) ? quotedName(name) : `null::${type} as ${quotedName(name)}`,
  );
  // In the form that the same has when it is read from a line.
  return `select ${['_id', '_time', ...names, 'case when _rest is not null then json(_rest) end as _rest'].join(', ')}
    from read_parquet([${paths}], schema = map {${schema.join(', ')}})`;
}

const OWN = [
  [1, '_id', 'BIGINT'],
  [2, '_time', 'TIMESTAMP'],
  [FIELD_FATES.leftOver, '_rest', 'JSON'],
] as const;
