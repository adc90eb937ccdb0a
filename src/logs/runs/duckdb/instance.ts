// DuckDB in this process. A connection runs one statement at a time: statements of the engine borrow one from a small pool,
// runs of queries have one each, so that reads never delay appends. Each running statement also holds a
// thread of Node's pool (see bin/vigil.js).

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { systemClock } from '#kernel/time/clock.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import { letThreadsYield } from '#runtime/thread-priority.ts';
import type { RunWork } from './execution-slots.ts';
import { isExhausted } from './exhausted.ts';
import { type RunSession, RunSessions } from './session.ts';

const CONNECTIONS = 8;

export interface Instance {
  /** Runs one statement. Rows come as objects by column name, 64-bit integers as bigint. */
  run(sql: string, values?: readonly DuckDBValue[]): Promise<Record<string, DuckDBValue>[]>;
  /** For the statements of one run, which may call the functions of the language; never waits for other sessions. */
  session(work: RunWork): RunSession;
  /** Memory and disk that its tables and statements take right now. */
  use(): Promise<InstanceUse>;
  /** Running statements of the engine fail. */
  interrupt(): void;
  /** Running statements go on. */
  close(): Promise<void>;
  /** Frees memory and files when the last statement has ended; sessions must have ended. */
  end(): Promise<void>;
}

interface InstanceUse {
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Memory of lists and texts of groups, which cannot be spilled to disk. */
  readonly heldBytes: number;
}

const USE = `select sum(memory_usage_bytes) as memory, sum(temporary_storage_bytes) as disk,
  sum(memory_usage_bytes) filter (tag = 'ALLOCATOR') as held from duckdb_memory()`;

interface InstanceOptions {
  /** Where a statement that needs more memory than it may have puts the rest; without one it fails. */
  readonly spillFolder?: string;
  readonly memoryBytes: number;
  /** Of the files in the spill folder. */
  readonly diskBytes?: number;
  /** Whether the rows of tables are in files without a name, as they always are without a spill folder. */
  readonly readsNameless?: boolean;
  /** All processors unless said otherwise. */
  readonly threads?: number;
  /** Ends some query when there is no memory for a statement of the engine; false where there is none to end. */
  relieve?(): boolean;
}

/** Runs that are ended for one statement of the engine. */
const MAX_RELIEFS = 8;

export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { spillFolder = '', memoryBytes, diskBytes, threads, relieve = () => false } = options;
  const { readsNameless = spillFolder === '' } = options;
  const duckdb = await import('@duckdb/node-api');
  let prepared: Promise<void> | undefined;
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder,
    memory_limit: `${memoryBytes}B`,
    ...(threads === undefined ? {} : { threads: String(threads) }),
    // The system caches files already, and gives that memory back when others need it; DuckDB would hold a second copy of
    // all that was read, of removed files too, and files without a name share a few paths.
    enable_external_file_cache: 'false',
    // Its allocator gives freed memory back from a thread of its own; without one it keeps hundreds of megabytes for as
    // long as nothing else is allocated. The setting holds for the whole process, so every instance says the same.
    allocator_background_threads: 'true',
    // Nothing is ever fetched or loaded at run time.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connections = new Connections(instance);
  const pool = new ConnectionPool(() => connections.open());
  const sessions = new RunSessions({
    async connect() {
      prepared ??= prepare(duckdb, pool).then(letThreadsYield);
      await prepared;
      return await connections.open();
    },
    keepsStatements: !readsNameless,
  });
  // DuckDB shows a limit that is given at creation, but does not enforce it.
  if (diskBytes !== undefined) await pool.with((one) => one.run(`set max_temp_directory_size = '${diskBytes}B'`));
  return {
    run: (sql, values = []) =>
      retry(() => pool.with((connection) => runOn(connection, sql, values)), {
        clock: systemClock,
        delays: sameDelay(0, MAX_RELIEFS),
        mayRetry: (error) => isExhausted(error) && relieve(),
      }),
    session: (work) => sessions.open(work),
    async use() {
      const [row] = await pool.with((connection) => runOn(connection, USE, []));
      const [memoryBytes, diskBytes, heldBytes] = [row?.memory, row?.disk, row?.held].map(Number);
      return { memoryBytes: memoryBytes ?? 0, diskBytes: diskBytes ?? 0, heldBytes: heldBytes ?? 0 };
    },
    interrupt: () => pool.interrupt(),
    close: () => connections.close(),
    async end() {
      // As long as one connection is open, memory and files stay.
      await connections.opened();
      await pool.close();
      sessions.close();
      await connections.close();
    },
  };
}

/** Registers the functions and macros that statements of plans call, once for an instance. */
async function prepare(duckdb: typeof import('@duckdb/node-api'), pool: ConnectionPool): Promise<void> {
  const { registerLocalFunction } = await import('#query/sql/local-function.ts');
  const { preludeStatements } = await import('#query/sql/macros.ts');
  await pool.with(async (connection) => {
    registerLocalFunction(duckdb, connection);
    for (const statement of preludeStatements) await connection.run(statement);
  });
}

async function runOn(connection: DuckDBConnection, sql: string, values: readonly DuckDBValue[]) {
  const result = await connection.run(sql, [...values]);
  return await result.getRowObjects();
}

/** A connection is opened in a thread of Node's pool: an instance that is closed meanwhile would end the process. */
class Connections {
  readonly #instance: DuckDBInstance;
  readonly #opening = new Set<Promise<DuckDBConnection>>();

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  async open(): Promise<DuckDBConnection> {
    const opening = this.#instance.connect();
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Resolves when none is being opened. */
  async opened(): Promise<void> {
    while (this.#opening.size > 0) await Promise.allSettled(this.#opening);
  }

  async close(): Promise<void> {
    await this.opened();
    this.#instance.closeSync();
  }
}

class ConnectionPool {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #free: DuckDBConnection[] = [];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];
  readonly #opened: DuckDBConnection[] = [];
  #opening = 0;

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.#connect = connect;
  }

  async with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    try {
      return await work(connection);
    } finally {
      this.giveBack(connection);
    }
  }

  /** Takes every connection first: a busy one must not be closed under its statement. */
  async close(): Promise<void> {
    for (let closed = 0; closed < this.#opened.length; closed += 1) (await this.#given()).closeSync();
  }

  interrupt(): void {
    for (const connection of this.#opened) connection.interrupt();
  }

  async #open(): Promise<DuckDBConnection> {
    this.#opening += 1;
    try {
      const connection = await this.#connect();
      this.#opened.push(connection);
      return connection;
    } finally {
      this.#opening -= 1;
    }
  }

  giveBack(connection: DuckDBConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
  }

  async take(): Promise<DuckDBConnection> {
    if (this.#free.length === 0 && this.#opened.length + this.#opening < CONNECTIONS) return await this.#open();
    return await this.#given();
  }

  /** One that is free, or becomes so. */
  async #given(): Promise<DuckDBConnection> {
    const free = this.#free.pop();
    if (free) return free;
    const { promise, resolve } = Promise.withResolvers<DuckDBConnection>();
    this.#waiting.push(resolve);
    return await promise;
  }
}
