// A session is a connection for one run. All its statements are one transaction, so they all read the fresh records of the
// first one. A signal stops the running statement. Connections whose transaction ended in order are used again.

import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api';
import { eventLoop } from '#kernel/event-loop.ts';
import type { Statement } from '#query/sql/statement.ts';
import type { RunWork } from './execution-slots.ts';

/** Opens sessions. */
export class RunSessions {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  async open(work: RunWork): Promise<RunSession> {
    work.signal.throwIfAborted();
    const connection = this.#idle.pop() ?? (await this.#connected());
    try {
      await connection.run('begin transaction');
      return new RunSession(connection, work, this.#idle);
    } catch (error) {
      connection.closeSync();
      throw error;
    }
  }

  /** Closes the idle connections. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.closeSync();
  }

  async #connected(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    for (const statement of OPENING) await connection.run(statement);
    return connection;
  }
}

export class RunSession implements AsyncDisposable {
  readonly #connection: DuckDBConnection;
  readonly #work: RunWork;
  readonly #idle: DuckDBConnection[];
  readonly #stop: () => void;
  #stopping: NodeJS.Timeout | undefined;

  constructor(connection: DuckDBConnection, work: RunWork, idle: DuckDBConnection[]) {
    this.#connection = connection;
    this.#work = work;
    this.#idle = idle;
    // A statement that is still being prepared does not hear of it, so it is said again until all has stopped.
    this.#stop = () => {
      connection.interrupt();
      this.#stopping ??= setInterval(() => connection.interrupt(), AGAIN_MS);
    };
    work.signal.addEventListener('abort', this.#stop);
  }

  /** No statement may be running any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#work.signal.removeEventListener('abort', this.#stop);
    clearInterval(this.#stopping);
    // Frees the tables of the run and the memory of a stopped statement: in a thread, because that may be gigabytes.
    const isWhole = await this.#connection.run('rollback').then(
      () => !this.#work.signal.aborted,
      () => false,
    );
    // One that was stopped may be in any state.
    if (isWhole && this.#idle.length < MAX_IDLE) this.#idle.push(this.#connection);
    else this.#connection.closeSync();
  }

  /** Progress of the running statement, from 0 to 1; 0 where it is not known. */
  get done(): number {
    return Math.max(0, this.#connection.progress.percentage) / 100;
  }

  async rows(statement: Statement): Promise<DuckDBValue[][]> {
    this.#work.signal.throwIfAborted();
    try {
      const prepared = await this.#bound(statement);
      try {
        return (await this.#work.runTask(() => prepared.runAndReadAll())).getRows();
      } finally {
        prepared.destroySync();
      }
    } catch (error) {
      throw this.#work.signal.aborted ? this.#work.signal.reason : error;
    }
  }

  /** Thousands of values are some hundredths of a second, so they have several turns. */
  async #bound({ text, values, types }: Statement): Promise<DuckDBPreparedStatement> {
    const prepared = await this.#work.runTask(() => this.#connection.prepare(text));
    for (const [index, value] of values.entries()) {
      if (index > 0 && index % BOUND_AT_ONCE === 0) await eventLoop.nextSlot();
      prepared.bindValue(index + 1, value, types[index]);
    }
    return prepared;
  }

  /** The only value of a statement that binds none. */
  async value(text: string): Promise<DuckDBValue> {
    const [row] = await this.rows({ text, values: [], types: [] });
    return row?.[0] ?? null;
  }

  /**
   * The texts in the first column of a SELECT, some thousands at a time; `others` gets the rows of its other columns.
   * Throws when the statement fails midway; a consumer that stops early stops the statement. A stream of DuckDB ends like any
   * other when its statement fails midway, so a last row of our own says that it is whole.
   */
  async *texts({ text, values, types }: Statement, others: Others = NO_OTHERS): AsyncGenerator<readonly string[]> {
    this.#work.signal.throwIfAborted();
    let isWhole = false;
    try {
      const whole = `select *, false from (${text}) union all select null, ${'null, '.repeat(others.columns)}true`;
      const prepared = await this.#bound({ text: whole, values, types });
      const result = await this.#work.runTask(() => prepared.stream()).finally(() => prepared.destroySync());
      while (!isWhole) {
        const chunk = await this.#work.runTask(() => result.fetchChunk());
        // Reading the texts of a chunk takes a few milliseconds.
        await eventLoop.nextSlot();
        this.#work.signal.throwIfAborted();
        if (!chunk || chunk.rowCount === 0) throw new Error('the statement was broken off');
        isWhole = chunk.getColumnValues(chunk.columnCount - 1).at(-1) === true;
        const rows = isWhole ? chunk.rowCount - 1 : chunk.rowCount;
        if (others.columns > 0)
          others.tell(
            chunk
              .getRows()
              .slice(0, rows)
              .map((row) => row.slice(1, -1)),
          );
        // Of a VARCHAR.
        yield chunk.getColumnValues(0).slice(0, rows) as string[];
      }
      // DuckDB closes the files of a statement when a chunk beyond the last is fetched.
      await result.fetchChunk();
    } catch (error) {
      throw this.#work.signal.aborted ? this.#work.signal.reason : error;
    } finally {
      if (!isWhole) this.#connection.interrupt();
    }
  }
}

/** Columns of a statement beside its texts. */
export interface Others {
  readonly columns: number;
  tell(rows: readonly (readonly DuckDBValue[])[]): void;
}

const NO_OTHERS: Others = { columns: 0, tell() {} };

const AGAIN_MS = 5;
const BOUND_AT_ONCE = 1000;
const MAX_IDLE = 8;
const OPENING = ['set enable_progress_bar = true', 'set enable_progress_bar_print = false'];
