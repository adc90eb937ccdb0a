// A session is a connection for one run. All its statements that read or make tables in memory are one transaction, so they
// all read the fresh records of the first one; a statement over files and values needs none. A signal stops the running
// statement. Connections whose work ended in order are used again.

import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBValue,
} from '@duckdb/node-api';
import { systemClock } from '#kernel/time/clock.ts';
import type { Statement } from '#query/sql/statement.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { RunWork } from './execution-slots.ts';
import { KeptStatements } from './kept-statements.ts';

/** A connection between two runs, or of one. */
interface RunConnection {
  readonly connection: DuckDBConnection;
  readonly kept: KeptStatements;
  /** How much of a stream is made ahead of its reader. */
  ahead: keyof typeof AHEAD;
}

interface RunSessionsOptions {
  connect(): Promise<DuckDBConnection>;
  /** False where a path may be another file later. */
  readonly keepsStatements: boolean;
}

/** Opens sessions. */
export class RunSessions {
  readonly keepsStatements: boolean;
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #idle: RunConnection[] = [];

  constructor({ connect, keepsStatements }: RunSessionsOptions) {
    this.#connect = connect;
    this.keepsStatements = keepsStatements;
  }

  open(work: RunWork): RunSession {
    work.signal.throwIfAborted();
    return new RunSession(work, this);
  }

  async take(): Promise<RunConnection> {
    return this.#idle.pop() ?? (await this.#connected());
  }

  /** `isOpen`: a transaction or a statement has not ended. One that was stopped may be in any state, and is not used again. */
  async giveBack(taken: RunConnection, { isOpen, isStopped }: { isOpen: boolean; isStopped: () => boolean }) {
    const isClosed = !isOpen || (await rollBack(taken));
    if (isClosed && !isStopped() && this.#idle.length < MAX_IDLE) this.#idle.push(taken);
    else end(taken);
  }

  /** Closes the idle connections. */
  close(): void {
    for (const idle of this.#idle.splice(0)) end(idle);
  }

  async #connected(): Promise<RunConnection> {
    const connection = await this.#connect();
    for (const statement of OPENING) await connection.run(statement);
    return { connection, kept: new KeptStatements(), ahead: 'many' };
  }
}

/** Frees the tables of the run and the memory of a stopped statement: in a thread, because that may be gigabytes. */
const rollBack = ({ connection }: RunConnection): Promise<boolean> =>
  connection.run('rollback').then(
    () => true,
    () => false,
  );

function end({ connection, kept }: RunConnection): void {
  kept.destroy();
  connection.closeSync();
}

export class RunSession implements AsyncDisposable {
  readonly #work: RunWork;
  readonly #sessions: RunSessions;
  readonly #stop: () => void;
  #taking: Promise<RunConnection> | undefined;
  #beginning: Promise<unknown> | undefined;
  #isBrokenOff = false;
  #connection: DuckDBConnection | undefined;
  #stopping: Disposable | undefined;

  constructor(work: RunWork, sessions: RunSessions) {
    this.#work = work;
    this.#sessions = sessions;
    // A statement that is still being prepared does not hear of it, so it is said again until all has stopped.
    this.#stop = () => {
      this.#connection?.interrupt();
      this.#stopping ??= new Periodic({ clock: systemClock, period: AGAIN, work: () => this.#connection?.interrupt() });
    };
    work.signal.addEventListener('abort', this.#stop);
  }

  /** No statement may be running any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { signal } = this.#work;
    signal.removeEventListener('abort', this.#stop);
    this.#stopping?.[Symbol.dispose]();
    const taken = await this.#taking?.catch(() => undefined);
    const isOpen = this.#beginning !== undefined || this.#isBrokenOff || signal.aborted;
    if (taken) await this.#sessions.giveBack(taken, { isOpen, isStopped: () => signal.aborted });
  }

  /** With the first statement: some runs have none. */
  async #taken(): Promise<RunConnection> {
    this.#taking ??= this.#sessions.take();
    const taken = await this.#taking;
    this.#connection = taken.connection;
    return taken;
  }

  #begin(connection: DuckDBConnection): Promise<unknown> {
    this.#beginning ??= connection.run('begin transaction');
    return this.#beginning;
  }

  /** Progress of the running statement, from 0 to 1; 0 where it is not known. */
  get done(): number {
    return Math.max(0, this.#connection?.progress.percentage ?? 0) / 100;
  }

  async rows(statement: Statement): Promise<DuckDBValue[][]> {
    this.#work.signal.throwIfAborted();
    try {
      const { prepared, release } = await this.#bound(statement);
      let isWhole = false;
      try {
        const result = await this.#work.runTask(() => prepared.run());
        isWhole = true;
        return chunksOf(result).flatMap((chunk) => readOnce(chunk, () => chunk.getRows()));
      } finally {
        release(isWhole);
      }
    } catch (error) {
      throw this.#work.signal.aborted ? this.#work.signal.reason : error;
    }
  }

  /** Thousands of values are some hundredths of a second, so they have several turns. */
  async #bound({ text, values, types, isLasting = false }: Statement): Promise<BoundStatement> {
    const { connection, kept } = await this.#taken();
    if (!isLasting) await this.#begin(connection);
    const isKept = isLasting && this.#sessions.keepsStatements;
    const prepared =
      (isKept ? kept.take(text) : undefined) ?? (await this.#work.runTask(() => connection.prepare(text)));
    for (const [index, value] of values.entries()) {
      if (index > 0 && index % BOUND_AT_ONCE === 0) await eventLoop.nextSlot();
      prepared.bindValue(index + 1, value, types[index]);
    }
    const release = (isWhole: boolean) => (isKept && isWhole ? kept.keep(text, prepared) : prepared.destroySync());
    return { prepared, release };
  }

  async #readAhead(ahead: keyof typeof AHEAD): Promise<void> {
    const taken = await this.#taken();
    if (taken.ahead === ahead) return;
    await taken.connection.run(AHEAD[ahead]);
    taken.ahead = ahead;
  }

  /** The only value of a statement that binds none. */
  async value(text: string, { isLasting = false } = {}): Promise<DuckDBValue> {
    const [row] = await this.rows({ text, values: [], types: [], isLasting });
    return row?.[0] ?? null;
  }

  /**
   * The texts in the first column of a SELECT, some thousands at a time; `others` gets the rows of its other columns.
   * Throws when the statement fails midway; a consumer that stops early stops the statement.
   */
  async *texts(statement: Statement, others: Others = NO_OTHERS): AsyncGenerator<readonly string[]> {
    this.#work.signal.throwIfAborted();
    try {
      yield* statement.isShort ? this.#shortTexts(statement, others) : this.#streamedTexts(statement, others);
    } catch (error) {
      throw this.#work.signal.aborted ? this.#work.signal.reason : error;
    }
  }

  /** Of a statement with few rows: one call of DuckDB in place of one for each chunk and two for its end. */
  async *#shortTexts(statement: Statement, others: Others): AsyncGenerator<readonly string[]> {
    const { prepared, release } = await this.#bound(statement);
    let isWhole = false;
    try {
      const result = await this.#work.runTask(() => prepared.run());
      isWhole = true;
      await eventLoop.nextSlot();
      this.#work.signal.throwIfAborted();
      for (const chunk of chunksOf(result))
        yield readOnce(chunk, () => textsIn(chunk, others, { rows: chunk.rowCount, own: 0 }));
    } finally {
      release(isWhole);
    }
  }

  /** A stream of DuckDB ends like any other when its statement fails midway, so a last row of our own says that it is whole. */
  async *#streamedTexts({ text, ...statement }: Statement, others: Others): AsyncGenerator<readonly string[]> {
    const whole = `select *, false from (${text}) union all select null, ${'null, '.repeat(others.columns)}true`;
    const { prepared, release } = await this.#bound({ ...statement, text: whole });
    let isWhole = false;
    try {
      await this.#readAhead(statement.isLong ? 'few' : 'many');
      const result = await this.#work.runTask(() => prepared.stream());
      while (!isWhole) {
        const chunk = await this.#work.runTask(() => result.fetchChunk());
        // Reading the texts of a chunk takes a few milliseconds.
        await eventLoop.nextSlot();
        this.#work.signal.throwIfAborted();
        if (!chunk || chunk.rowCount === 0) throw new Error('the statement was broken off');
        isWhole = chunk.getColumnValues(chunk.columnCount - 1).at(-1) === true;
        const rows = isWhole ? chunk.rowCount - 1 : chunk.rowCount;
        yield readOnce(chunk, () => textsIn(chunk, others, { rows, own: 1 }));
      }
      // DuckDB closes the files of a statement when a chunk beyond the last is fetched.
      await result.fetchChunk();
    } finally {
      if (!isWhole) {
        this.#isBrokenOff = true;
        this.#connection?.interrupt();
      }
      release(isWhole);
    }
  }
}

const chunksOf = (result: DuckDBMaterializedResult): DuckDBDataChunk[] =>
  Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));

/** Frees the texts of a chunk once they are read: the garbage collector takes its time, because it does not know how long they are. */
function readOnce<T>(chunk: DuckDBDataChunk, read: () => T): T {
  try {
    return read();
  } finally {
    chunk.reset();
  }
}

/** The first column of so many rows; `others` gets those behind it, without the last ones that are our own. */
function textsIn(chunk: DuckDBDataChunk, others: Others, { rows, own }: { rows: number; own: number }): string[] {
  if (others.columns > 0)
    others.tell(
      chunk
        .getRows()
        .slice(0, rows)
        .map((row) => row.slice(1, row.length - own)),
    );
  // Of a VARCHAR.
  return chunk.getColumnValues(0).slice(0, rows) as string[];
}

interface BoundStatement {
  readonly prepared: DuckDBPreparedStatement;
  /** Keeps it for another run, if it may be kept and has given all its rows. */
  release(isWhole: boolean): void;
}

/** Columns of a statement beside its texts. */
export interface Others {
  readonly columns: number;
  tell(rows: readonly (readonly DuckDBValue[])[]): void;
}

const NO_OTHERS: Others = { columns: 0, tell() {} };

const AGAIN = Temporal.Duration.from({ milliseconds: 5 });
const BOUND_AT_ONCE = 1000;
/** DuckDB counts 17 bytes for a row that is handed over, however long its text is: a megabyte ahead is 60,000 of them. */
const AHEAD = { few: "set streaming_buffer_size = '64B'", many: 'reset streaming_buffer_size' };
const MAX_IDLE = 8;
const OPENING = ['set enable_progress_bar = true', 'set enable_progress_bar_print = false'];
