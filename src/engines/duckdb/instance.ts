// DuckDB in this process. A connection runs one statement at a time: statements of the engine borrow one from a small pool,
// runs of queries have one each, so that no reader keeps records from coming in. Each running statement also holds a
// thread of Node's pool (see bin/vigil.ts).

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { type DuckSession, DuckSessions } from './session.ts';

const CONNECTIONS = 8;

export interface Duck {
  /** Runs one statement. Rows come as objects by column name, 64-bit integers as bigint. */
  run(sql: string, values?: readonly DuckDBValue[]): Promise<Record<string, DuckDBValue>[]>;
  /** For the statements of one run, which may call the functions of the language; never waits for other sessions. */
  session(signal: AbortSignal): Promise<DuckSession>;
  close(): void;
}

export interface DuckOptions {
  /** Where a statement that needs more memory than it may have puts the rest; without one it fails. */
  readonly spillFolder?: string;
  readonly memoryLimit: string;
}

export async function openDuck({ spillFolder = '', memoryLimit }: DuckOptions): Promise<Duck> {
  const duck = await import('@duckdb/node-api');
  let prepared: Promise<void> | undefined;
  const instance = await duck.DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder,
    memory_limit: memoryLimit,
    // Files without a name share a few paths: what was read at one says nothing about the next.
    ...(spillFolder === '' ? { enable_external_file_cache: 'false' } : {}),
    // Nothing is ever fetched or loaded at run time.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const pool = new ConnectionPool(instance);
  const sessions = new DuckSessions(instance);
  return {
    run: (sql, values = []) => pool.with((connection) => runOn(connection, sql, values)),
    session: async (signal) => {
      prepared ??= prepare(duck, pool);
      await prepared;
      return await sessions.open(signal);
    },
    close: () => instance.closeSync(),
  };
}

/** What statements of plans call, once for the whole instance. */
async function prepare(duck: typeof import('@duckdb/node-api'), pool: ConnectionPool): Promise<void> {
  const { preludeStatements, registerHostFunction } = await import('#query/dialects/duckdb.ts');
  await pool.with(async (connection) => {
    registerHostFunction(duck, connection);
    for (const statement of preludeStatements) await connection.run(statement);
  });
}

async function runOn(connection: DuckDBConnection, sql: string, values: readonly DuckDBValue[]) {
  const result = await connection.run(sql, [...values]);
  return await result.getRowObjects();
}

class ConnectionPool {
  readonly #instance: DuckDBInstance;
  readonly #free: DuckDBConnection[] = [];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];
  #opened = 0;

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  async with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    try {
      return await work(connection);
    } finally {
      this.giveBack(connection);
    }
  }

  giveBack(connection: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
  }

  async take(): Promise<DuckDBConnection> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#opened < CONNECTIONS) {
      this.#opened += 1;
      return await this.#instance.connect();
    }
    const { promise, resolve } = Promise.withResolvers<DuckDBConnection>();
    this.#waiting.push(resolve);
    return await promise;
  }
}
