// Fills a table of a service of its own with a log, through the published operation, and watches the service meanwhile.
// Afterwards everything is sealed by a second start, and counted there and in the files.

import { existsSync } from 'node:fs';
import type { Compression, Layout } from '#logs/log-store.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import type { BareDuckdb } from './bare-duckdb.ts';
import type { LogCorpus } from './log-corpus.ts';
import { pushAll } from './push.ts';
import { launch, MASTER_KEY, type Memory, type ServerProcess, vigil } from './server-process.ts';
import { type Service, serviceOf } from './service-calls.ts';
import { allIn, bytesOf, journalsIn, parquetIn, tableFolderIn, until } from './table-files.ts';

export const TABLE = 'access';
const SAMPLE_MS = 50;
const STABLE_MS = 2500;

/** How a table is made and filled. */
export interface Recipe {
  readonly layout: Layout;
  readonly compression: Compression;
  readonly recordsPerBatch: number;
  readonly clients: number;
  /** How much of the log is pushed, from its first record on. */
  readonly share: number;
}

export interface LogFill {
  readonly recipe: Recipe;
  /** Of the installation. */
  readonly folder: string;
  /** Of the table's files. */
  readonly tableFolder: string;
  readonly records: number;
  readonly pushSeconds: number;
  /** Of the service, from the first batch until the full generations were sealed. */
  readonly cpuSeconds: number;
  readonly latencies: Float64Array;
  /** After the last answer, until all but the newest records were in Parquet files. */
  readonly sealSeconds: number;
  readonly samples: readonly MemorySample[];
  /** As Get Tables tells it, and as the files are; equal, or the fill fails. */
  readonly tableBytes: number;
  readonly files: number;
}

export interface MemorySample extends Memory {
  /** Records acknowledged by then. */
  readonly records: number;
}

interface Filling {
  readonly folder: string;
  readonly corpus: LogCorpus;
  readonly duckdb: BareDuckdb;
  tell(done: number): void;
}

export async function fillTable(recipe: Recipe, { folder, corpus, duckdb, tell }: Filling): Promise<LogFill> {
  const filled = await pushLog(recipe, { folder, corpus, tell });
  const tableFolder = tableFolderIn(folder, TABLE);
  const tableBytes = await sealAll(folder, TABLE, filled.records);
  const files = parquetIn(tableFolder);
  const [counted] = await duckdb.rows(
    `select count(*)::integer as total from read_parquet('${tableFolder}/*/*.parquet')`,
  );
  requireEqual('records in the files', Number(counted?.total), filled.records);
  requireEqual('bytes of the files', bytesOf(files), tableBytes);
  return { recipe, folder, tableFolder, ...filled, tableBytes, files: files.length };
}

type Filled = Pick<LogFill, 'records' | 'pushSeconds' | 'cpuSeconds' | 'latencies' | 'sealSeconds' | 'samples'>;

async function pushLog(recipe: Recipe, { folder, corpus, tell }: Omit<Filling, 'duckdb'>): Promise<Filled> {
  await using server = await launch(vigil({ folder }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const { layout, compression, recordsPerBatch, clients, share } = recipe;
  const records = Math.floor(corpus.records * share);
  const logger = await createLogger(service, { table: TABLE, storage: { layout, compression } });
  using memory = watchMemory(server);
  const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' };
  const order = { port: server.port, path: `/api/core/loggers/${logger}/logs`, headers, file: corpus.file };
  const cpuBefore = server.cpuSeconds() ?? Number.NaN;
  const pushed = await pushAll({ ...order, records, recordsPerBatch, clients }, (acknowledged) => {
    memory.acknowledged = acknowledged;
    tell(acknowledged);
  });
  memory.acknowledged = pushed.records;
  const answered = performance.now();
  const tableFolder = tableFolderIn(folder, TABLE);
  await until('full generations are sealed', () => journalsIn(tableFolder).length <= 1);
  const sealSeconds = (performance.now() - answered) / 1000;
  const cpuSeconds = (server.cpuSeconds() ?? Number.NaN) - cpuBefore;
  requireEqual('records acknowledged', pushed.records, records);
  requireEqual('records counted', await countOf(service, TABLE), records);
  return {
    records,
    pushSeconds: pushed.milliseconds / 1000,
    cpuSeconds,
    latencies: pushed.latencies,
    sealSeconds,
    samples: memory.samples,
  };
}

/** Gives the size that Get Tables tells when nothing changes any more. */
export async function sealAll(folder: string, table: string, records: number): Promise<number> {
  const settings = { 'seal-after': '1', 'maintenance-period': '1' };
  await using server = await launch(vigil({ folder, settings }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  requireEqual('records counted after a new start', await countOf(service, table), records);
  const tableFolder = tableFolderIn(folder, table);
  let seen = '';
  let since = performance.now();
  await until('all is sealed, merged and has its filters', () => {
    const now = allIn(tableFolder)
      .map((file) => `${file} ${bytesOf([file])}`)
      .join();
    const isWhole = parquetIn(tableFolder).every((file) => existsSync(`${file}.words`));
    if (now !== seen || !isWhole || bytesOf(journalsIn(tableFolder)) > 0) [seen, since] = [now, performance.now()];
    return performance.now() - since > STABLE_MS;
  });
  requireEqual('records counted when sealed', await countOf(service, table), records);
  const { json } = await service.call('GET', `/api/core/tables?table_name=${table}`);
  return json.tables[0].table_size;
}

async function countOf(service: Service, table: string): Promise<number> {
  const [row] = await rowsOf(service, `table ${table} | stats count`);
  return row.count;
}

function watchMemory(server: ServerProcess) {
  const samples: MemorySample[] = [];
  const watch = { acknowledged: 0, samples, [Symbol.dispose]: () => clearInterval(sampling) };
  const sampling = setInterval(() => {
    const memory = server.memory();
    if (memory) samples.push({ records: watch.acknowledged, ...memory });
  }, SAMPLE_MS);
  return watch;
}

function requireEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
