// The one that writes to a PostgreSQL database. A transaction has a session to itself from its beginning to its end; a session
// that broke takes its transaction along. Waiting is limited on both sides: here, so that whoever asks hears of it, and at the
// server, so that a transaction that nobody holds any longer gives the lock of all writers back.

import { systemClock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { type Connection, guarded, type Transaction, type TransactionKind, TransactionOver } from './connection.ts';
import { type Backend, type MakeClient, Session } from './postgres-session.ts';
import { CommitUnanswered, StoreUnreachable } from './unreachable.ts';

// Taken by every writing transaction of every node: writes are serialized, so the audit chain has one head.
const WRITERS_LOCK = 0x56494749;

interface Limits {
  /** Of waiting for another transaction. */
  readonly lockMs: number;
  /** Of a statement at work. */
  readonly statementMs: number;
}

const LIMITS: Readonly<Record<TransactionKind, Limits>> = {
  changes: { lockMs: 20_000, statementMs: 30_000 },
  // An index over an audit trail of years takes its time, and whoever else starts meanwhile waits for it.
  migration: { lockMs: 3_600_000, statementMs: 3_600_000 },
};
/** The server gives up first where it can: its answer leaves the connection whole. */
const ANSWER_MS = 5000;
/** What costs the server nothing. */
const BRIEF_MS = 5000;
/** A connection that has been silent for so long is asked whether it is still there before it is relied upon. */
const RESTED_MS = 10_000;
/** Six times what a process that lives lets pass between two of its words: see `HEARTBEAT`. */
const IDLE_MS = 30_000;
/** Units may compute for long between two statements: the server hears meanwhile that somebody is still there. */
const HEARTBEAT = Temporal.Duration.from({ seconds: 5 });
/** After one that was waited for in vain the next attempts fail at once, so that a queue of them is through soon. */
const SILENCE_MS = 5000;
/** Rows of processes that ended without removing theirs. */
const MARKS_KEPT_DAYS = 7;

const BEGIN = (limits: Limits) =>
  `begin; set local lock_timeout = ${limits.lockMs}; set local statement_timeout = ${limits.statementMs};
   set local idle_in_transaction_session_timeout = ${IDLE_MS}; select pg_advisory_xact_lock(${WRITERS_LOCK})`;
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const END_BACKEND = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and extract(epoch from backend_start)::text = $2`;

export class PostgresWriter {
  readonly #make: MakeClient;
  readonly #connectionOver: (session: Session, patienceMs: number) => Connection;
  /** Under which this process leaves its marks: our own, so it needs no quoting. */
  readonly #name = newGuid();
  #session: Session | undefined;
  /** Of sessions that broke: the server may not know yet. */
  #left: Backend[] = [];
  #marks = 0;
  #silence: { readonly error: unknown; readonly until: number } | undefined;

  constructor(make: MakeClient, connectionOver: (session: Session, patienceMs: number) => Connection) {
    this.#make = make;
    this.#connectionOver = connectionOver;
  }

  /** Nothing has happened yet when it fails on a connection that stood since earlier, so a new one is tried then. */
  async begin(kind: TransactionKind): Promise<Transaction> {
    const earlier = this.#session;
    try {
      return await this.#beginOn(await this.#ready(), kind);
    } catch (error) {
      if (!earlier || earlier.isWhole || this.#session !== earlier) throw error;
    }
    return await this.#beginOn(await this.#ready(), kind);
  }

  async close(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    if (session.isWhole && this.#marks > 0) {
      const old = `${NOW_MS} - ${MARKS_KEPT_DAYS} * 86400000`;
      const sql = `delete from writer_marks where writer = '${this.#name}' or at < ${old}`;
      await session.query(sql, { patienceMs: BRIEF_MS }).catch(() => undefined);
    }
    await session.end();
  }

  async #beginOn(session: Session, kind: TransactionKind): Promise<Transaction> {
    const limits = LIMITS[kind];
    try {
      await session.query(BEGIN(limits), { patienceMs: limits.lockMs + ANSWER_MS });
    } catch (error) {
      await this.#undo(session);
      throw error;
    }
    return this.#transactionOn(session, kind);
  }

  #transactionOn(session: Session, kind: TransactionKind): Transaction {
    let isOver = false;
    const heart = systemClock.every(HEARTBEAT, () => {
      // When it is not heard, the next statement says so.
      if (session.idleMs > 0) session.query('select 1', { patienceMs: BRIEF_MS }).catch(() => undefined);
    });
    const end = () => {
      isOver = true;
      heart[Symbol.dispose]();
    };
    const below = this.#connectionOver(session, LIMITS[kind].statementMs + ANSWER_MS);
    return {
      connection: guarded(below, () => (isOver ? new TransactionOver() : undefined)),
      commit: async () => {
        end();
        await this.#commit(session, kind);
      },
      rollback: async () => {
        end();
        await this.#undo(session);
      },
    };
  }

  async #commit(session: Session, kind: TransactionKind): Promise<void> {
    const patienceMs = LIMITS[kind].statementMs + ANSWER_MS;
    this.#marks += 1;
    const number = this.#marks;
    const mark = `insert into writer_marks (writer, number, at) values ('${this.#name}', ${number}, ${NOW_MS})
      on conflict (writer) do update set number = excluded.number, at = excluded.at; `;
    try {
      const answers = await session.query(`${kind === 'changes' ? mark : ''}commit`, { patienceMs });
      // The server answers the commit of a transaction that has failed with the word for the opposite.
      if (answers.at(-1)?.command !== 'COMMIT') throw new Error('a statement of this transaction had failed');
    } catch (error) {
      if (kind === 'migration' || !(error instanceof StoreUnreachable)) throw error;
      throw new CommitUnanswered(error, () => this.#isMarked(number));
    }
  }

  /** Having the lock of all writers means that the transaction that had it before is over. */
  async #isMarked(number: number): Promise<boolean> {
    const { connection, rollback } = await this.begin('changes');
    try {
      const sql = 'select 1 from writer_marks where writer = ? and number = ?';
      return (await connection.all(sql, [this.#name, number])).length > 0;
    } finally {
      await rollback();
    }
  }

  async #undo(session: Session): Promise<void> {
    if (!session.isWhole) return;
    // One that does not even end has no next transaction.
    await session.query('rollback', { patienceMs: BRIEF_MS }).catch(() => session.end());
  }

  async #ready(): Promise<Session> {
    const session = this.#session;
    if (session && session.idleMs > RESTED_MS) {
      await session.query('select 1', { patienceMs: BRIEF_MS }).catch(() => undefined);
    }
    if (session?.isWhole) return session;
    if (session?.backend) this.#left.push(session.backend);
    this.#session = undefined;
    if (this.#silence && performance.now() < this.#silence.until) throw this.#silence.error;
    const made = await this.#connect();
    this.#session = made;
    return made;
  }

  async #connect(): Promise<Session> {
    const session = new Session(this.#make);
    const begunAt = performance.now();
    try {
      await session.connect();
      for (const { pid, begunAt } of this.#left) {
        await session.query(END_BACKEND, { values: [pid, begunAt], patienceMs: BRIEF_MS });
      }
    } catch (error) {
      await session.end();
      const isSilent = performance.now() - begunAt >= BRIEF_MS;
      this.#silence = isSilent ? { error, until: performance.now() + SILENCE_MS } : undefined;
      throw error;
    }
    this.#left = [];
    this.#silence = undefined;
    return session;
  }
}
