// Rows of a table that ClickHouse has given, as Parquet files without a name that DuckDB reads. An answer without its end is refused:
// a server that fails in its midst ends it like a whole one.

import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import { writeWhole } from '#files/whole.ts';
import { Exhausted } from '#logs/log-store.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { StageMeter } from '#logs/stage-recorder.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { answered, NoAnswer } from '#logs/stores/clickhouse/server/failures.ts';
import type { ParamValue } from '#logs/stores/clickhouse/server/params.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import { Budget } from '#runtime/budget.ts';
import { parquetOf } from './stored-rows.ts';

export interface FetchOptions {
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly deadline: Temporal.Duration;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Takes so many bytes of what a run may put on disk. May throw. */
  take(bytes: number): void;
  readonly meter?: StageMeter | undefined;
}

const MAGIC = Buffer.from('PAR1');
/** Both magic words and the length of the footer. */
const MIN_BYTES = 12;

/** The rows of a SELECT on all shards, a file for each. */
export async function fetchRows(
  shards: Shards,
  select: string,
  options: FetchOptions,
): Promise<readonly NamelessFile[]> {
  await makeFolder(options.folder);
  const files: NamelessFile[] = [];
  try {
    await answered(
      shards.each(async (client) => {
        const file = await makeNamelessFile(options.folder);
        files.push(file);
        await fetchFrom(client, select, { ...options, file });
      }),
    );
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function fetchFrom(
  client: ClickhouseClient,
  select: string,
  { file, take, signal, params, settings, deadline, meter }: FetchOptions & { readonly file: NamelessFile },
): Promise<void> {
  let size = 0;
  let last = Buffer.alloc(0);
  await client.download(`${select} format Parquet`, {
    signal,
    params,
    settings,
    deadline,
    meter,
    async take(piece) {
      take(piece.length);
      await writeWhole(file.handle, piece, size);
      size += piece.length;
      last = Buffer.concat([last, piece.subarray(-MAGIC.length)]).subarray(-MAGIC.length);
    },
  });
  if (size < MIN_BYTES || !last.equals(MAGIC)) throw new NoAnswer(client.name);
}

export async function closeAll(files: readonly NamelessFile[]): Promise<void> {
  for (const file of files) await file[Symbol.asyncDispose]();
}

/** The files, unless work on them fails. */
export async function orClosed(
  files: readonly NamelessFile[],
  work: () => Promise<unknown>,
): Promise<readonly NamelessFile[]> {
  try {
    await work();
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

/** Told by the ends of the files. */
export async function rowsIn(files: readonly NamelessFile[], session: RunSession): Promise<number> {
  if (files.length === 0) return 0;
  return Number(await session.value(`select count(*) from ${parquetOf(files)}`));
}

export async function bytesOf(files: readonly NamelessFile[]): Promise<number> {
  let bytes = 0;
  for (const { handle } of files) bytes += (await handle.stat()).size;
  return bytes;
}

/** Takes from the bytes that a run may fetch. */
export function fetchBudget(bytes: number): FetchOptions['take'] {
  const fetched = new Budget({ total: bytes }).open();
  return (more) => {
    if (fetched.take(more)) throw new Exhausted('too many rows of ClickHouse', { isMovable: false, resource: 'disk' });
  };
}
