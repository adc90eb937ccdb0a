// DuckDB in this process. A connection runs one statement at a time, so statements borrow one from a small pool; each
// running statement also holds a thread of Node's pool (see bin/vigil.ts).

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';

const CONNECTIONS = 8;

export interface Duck {
  /** Runs one statement. Rows come as objects by column name, 64-bit integers as bigint. */
  run(sql: string, values?: readonly DuckDBValue[]): Promise<Record<string, DuckDBValue>[]>;
  /**
   * The values of the only column of a SELECT, some thousands at a time. Throws when the statement fails midway; whoever
   * stops early stops the statement.
   */
  stream(select: string): AsyncGenerator<readonly DuckDBValue[]>;
  close(): void;
}

export interface DuckOptions {
  /** Where a statement that needs more memory than it may have puts the rest; without one it fails. */
  readonly spillFolder?: string;
  readonly memoryLimit: string;
}

export async function openDuck({ spillFolder = '', memoryLimit }: DuckOptions): Promise<Duck> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder,
    memory_limit: memoryLimit,
    // Files without a name share a few paths: what was read at one says nothing about the next.
    ...(spillFolder === '' ? { enable_external_file_cache: 'false' } : {}),
    // Nothing is ever fetched or loaded at run time.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const pool = new ConnectionPool(instance);
  return {
    run: (sql, values = []) => pool.with((connection) => runOn(connection, sql, values)),
    stream: (select) => streamOn(pool, select),
    close: () => instance.closeSync(),
  };
}

async function runOn(connection: DuckDBConnection, sql: string, values: readonly DuckDBValue[]) {
  const result = await connection.run(sql, [...values]);
  return await result.getRowObjects();
}

/** A stream of DuckDB ends like any other when its statement fails midway, so a last row of our own says that it is whole. */
async function* streamOn(pool: ConnectionPool, select: string): AsyncGenerator<readonly DuckDBValue[]> {
  const connection = await pool.take();
  let isWhole = false;
  try {
    const result = await connection.stream(`select *, false from (${select}) union all select null, true`);
    while (!isWhole) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) throw new Error('the statement was broken off');
      isWhole = chunk.getColumnValues(1).at(-1) === true;
      const values = chunk.getColumnValues(0);
      yield isWhole ? values.slice(0, -1) : values;
    }
    // Only who asks beyond the end lets DuckDB close the files it has read.
    await result.fetchChunk();
  } finally {
    if (!isWhole) connection.interrupt();
    pool.giveBack(connection);
  }
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
