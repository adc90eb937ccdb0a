// A batch of records on its way into a hot table: the lines of a journal frame, or a file.

import { FIELD_FATES } from '#logs/log-store.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import type { FrameFile } from './file-frames.ts';
import type { Scratch } from './segment-storage.ts';

/** `columns` are those that its records use. */
export type FreshBatch = FreshLines | FreshFile;

export interface FreshLines {
  readonly lines: Buffer;
  readonly columns: Columns;
}

export interface FreshFile {
  readonly file: Scratch;
  readonly bytes: number;
  readonly columns: Columns;
  /** Of its columns, by name. */
  readonly numbers: ReadonlyMap<string, number>;
}

export const isFile = (batch: FreshBatch): batch is FreshFile => 'file' in batch;

export const bytesOf = (batch: FreshBatch): number => (isFile(batch) ? batch.bytes : batch.lines.length);

/** Writes the file of a frame to where DuckDB can read it. */
export async function freshFile(
  { bytes, size, fields }: FrameFile,
  columns: Columns,
  scratch: () => Promise<Scratch>,
): Promise<FreshFile> {
  const file = await scratch();
  try {
    await file.append(bytes.subarray(0, size));
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
  const inColumns = fields.filter(({ number }) => number > FIELD_FATES.leftOver);
  return { file, bytes: size, columns, numbers: new Map(inColumns.map(({ name, number }) => [name, number])) };
}

/** Columns only widen, and the latest of a name is the widest. */
export const columnsOf = (batches: readonly FreshBatch[]): Columns =>
  new Map(batches.flatMap(({ columns }) => [...columns]));

/** A SELECT over the records of files whose columns have the same numbers: `_id`, `_time`, all of `columns` and `_rest`. */
export function filesSource(files: readonly FreshFile[], columns: Columns): string {
  const numbers = new Map(files.flatMap((one) => [...one.numbers]));
  const schema = [
    ...OWN,
    ...[...numbers].map(([name, number]) => [number, name, columns.get(name) ?? 'VARCHAR'] as const),
  ].map(([number, name, type]) => `${number}: {name: ${quotedText(name)}, type: '${type}', default_value: null}`);
  const paths = files.map(({ file }) => quotedText(file.path)).join(', ');
  const names = [...columns].map(([name, type]) =>
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
