// DuckDB in this process. A connection runs one statement at a time, so statements borrow one from a small pool; each
// running statement also holds a thread of Node's pool (see bin/vigil.ts).

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

const CONNECTIONS = 8;

export interface Duck {
  /** Runs one statement. Rows come as objects by column name, 64-bit integers as bigint. */
  run(sql: string, values?: readonly DuckDBValue[]): Promise<Record<string, DuckDBValue>[]>;
  close(): void;
}

export interface DuckOptions {
  /** Where a statement that needs more memory than it may have puts the rest. */
  readonly spillFolder: string;
  readonly memoryLimit: string;
}

export async function openDuck({ spillFolder, memoryLimit }: DuckOptions): Promise<Duck> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder,
    memory_limit: memoryLimit,
    // Nothing is ever fetched or loaded at run time.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const pool = new ConnectionPool(instance);
  return {
    run: (sql, values = []) => pool.with((connection) => runOn(connection, sql, values)),
    close: () => instance.closeSync(),
  };
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
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#free.push(connection);
    }
  }

  async #take(): Promise<DuckDBConnection> {
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
