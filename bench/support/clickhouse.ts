// The modern ClickHouse engine as a library (chdb of PyPI, at an exact version), in a process of its own: a yardstick beside
// bare DuckDB. Nothing of it is needed by the product. Where it cannot run the bench says so, and its rows are left out.

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endAtExit } from './cleanup.ts';
import { APPLICATION_TABLE, INSERT_SETTINGS, TABLE_ENGINE } from './clickhouse-table.ts';

const VERSION = '4.4.0';
const ROOT = join(import.meta.dirname, '..', '..');
const VENV = join(ROOT, 'node_modules', '.cache', `vigil-bench-chdb-${VERSION}`);
const PYTHON = join(VENV, 'bin', 'python');
const SCRIPT = join(ROOT, 'bench', 'servers', 'clickhouse_library.py');
const INSTALL_MS = 600_000;

const CREATE = `create table if not exists app (${APPLICATION_TABLE}) ${TABLE_ENGINE}`;
const SETTINGS = Object.entries(INSERT_SETTINGS).map(([name, value]) => `${name} = '${value}'`);
const INSERT = `insert into app settings ${SETTINGS.join(', ')} format JSONEachRow `;

const run = promisify(execFile);

export interface ClickHouseInsert {
  readonly records: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface ClickHouse extends Disposable {
  /** Replaces the table with the records of the file; every batch is flushed before it is acknowledged. */
  ingest(order: { readonly file: string; readonly batch: number; readonly clients: number }): Promise<ClickHouseInsert>;
  query(sql: string): Promise<{ readonly milliseconds: number; readonly rows: number }>;
}

export interface NoClickHouse {
  readonly reason: string;
}

/** `folder` is where it keeps its data. */
export async function openClickHouse(folder: string, say: (line: string) => void): Promise<ClickHouse | NoClickHouse> {
  try {
    if (!existsSync(PYTHON)) {
      say(`installing chdb ${VERSION}`);
      await run('python3', ['-m', 'venv', VENV], { timeout: INSTALL_MS });
    }
    await run(PYTHON, ['-m', 'pip', 'install', '--quiet', `chdb==${VERSION}`], { timeout: INSTALL_MS });
    const library = startLibrary(folder);
    await library.ask({ kind: 'version' });
    return library;
  } catch (error) {
    const reason = `CLICKHOUSE DID NOT RUN, its rows are missing: ${String(error).split('\n')[0]}`;
    console.error(`\n${reason}\n`);
    return { reason };
  }
}

export const isClickHouse = (found: ClickHouse | NoClickHouse): found is ClickHouse => 'query' in found;

export const CLICKHOUSE_NOTE = `ClickHouse is chdb ${VERSION} in a process of its own, without HTTP, authentication and audit, with a connection per request: the same log in a MergeTree table ordered by time; inserts of 5,000 lines, each part flushed before its answer.`;

function startLibrary(folder: string) {
  const child = spawn(PYTHON, [SCRIPT, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ending = endAtExit(() => child.kill());
  const waiting: PromiseWithResolvers<string>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  child.on('exit', (code) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`the library ended with ${code}`));
  });
  async function ask(order: object) {
    const answer = Promise.withResolvers<string>();
    waiting.push(answer);
    child.stdin.write(`${JSON.stringify(order)}\n`);
    const told = JSON.parse(await answer.promise);
    if (told.error !== undefined) throw new Error(`ClickHouse: ${told.error}`);
    return told;
  }
  return {
    ask,
    ingest: (order: object): Promise<ClickHouseInsert> =>
      ask({ kind: 'ingest', table: CREATE, insert: INSERT, ...order }),
    query: (sql: string) => ask({ kind: 'query', sql }),
    [Symbol.dispose]: () => ending[Symbol.dispose](),
  };
}
