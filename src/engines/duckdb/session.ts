// A connection of its own for one run. All its statements are one transaction, so they all read the fresh records that
// there were at its first one. What runs is stopped by a signal.

import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import type { Statement } from '#query/dialects/duckdb.ts';

export class DuckSession implements Disposable {
  readonly #connection: DuckDBConnection;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;

  private constructor(connection: DuckDBConnection, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
    this.#stop = () => connection.interrupt();
    signal.addEventListener('abort', this.#stop);
  }

  static async open(instance: DuckDBInstance, signal: AbortSignal): Promise<DuckSession> {
    signal.throwIfAborted();
    const connection = await instance.connect();
    const session = new DuckSession(connection, signal);
    try {
      for (const statement of OPENING) await connection.run(statement);
      return session;
    } catch (error) {
      session[Symbol.dispose]();
      throw error;
    }
  }

  /** Nothing may be at work any more. */
  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#stop);
    // Ends the transaction too.
    this.#connection.closeSync();
  }

  /** How much of the statement at work is done, from 0 to 1; 0 where that is not known. */
  get done(): number {
    return Math.max(0, this.#connection.progress.percentage) / 100;
  }

  async rows({ text, values, types }: Statement): Promise<DuckDBValue[][]> {
    this.#signal.throwIfAborted();
    try {
      return (await this.#connection.runAndReadAll(text, values, types)).getRows();
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : error;
    }
  }

  /** The only value of a statement that binds none. */
  async value(text: string): Promise<DuckDBValue> {
    const [row] = await this.rows({ text, values: [], types: [] });
    return row?.[0] ?? null;
  }

  /**
   * The texts of the only column of a SELECT, some thousands at a time. Throws when the statement fails midway; whoever
   * stops early stops the statement. A stream of DuckDB ends like any other when its statement fails midway, so a last
   * row of our own says that it is whole.
   */
  async *texts({ text, values, types }: Statement): AsyncGenerator<readonly string[]> {
    this.#signal.throwIfAborted();
    let isWhole = false;
    try {
      const whole = `select *, false from (${text}) union all select null, true`;
      const result = await this.#connection.stream(whole, values, types);
      while (!isWhole) {
        const chunk = await result.fetchChunk();
        this.#signal.throwIfAborted();
        if (!chunk || chunk.rowCount === 0) throw new Error('the statement was broken off');
        isWhole = chunk.getColumnValues(1).at(-1) === true;
        const texts = chunk.getColumnValues(0) as string[]; // Of a VARCHAR.
        if (isWhole) texts.pop();
        yield texts;
      }
      // Only who asks beyond the end lets DuckDB close the files it has read.
      await result.fetchChunk();
    } catch (error) {
      throw this.#signal.aborted ? this.#signal.reason : error;
    } finally {
      if (!isWhole) this.#connection.interrupt();
    }
  }
}

const OPENING = ['set enable_progress_bar = true', 'set enable_progress_bar_print = false', 'begin transaction'];
