// The one that writes to a PostgreSQL database. A transaction has a session to itself from its beginning to its end; a session
// that broke takes its transaction along. Waiting is limited on both sides: here, so that whoever asks hears of it, and at the
// server, so that a transaction that nobody holds any longer gives the lock of all writers back.

import { systemClock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { type Connection, guarded, type Transaction, type TransactionKind, TransactionOver } from './connection.ts';
import type { PostgresLimits } from './postgres-limits.ts';
import { type Backend, type MakeClient, Session } from './postgres-session.ts';
import { CommitUnanswered, StoreUnreachable } from './unreachable.ts';

// Taken by every writing transaction of every node: writes are serialized, so the audit chain has one head.
const WRITERS_LOCK = 0x56494749;

/** Rows of processes that ended without removing theirs. */
const MARKS_KEPT_DAYS = 7;

const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const END_BACKEND = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and extract(epoch from backend_start)::text = $2`;

export interface WriterParts {
  readonly limits: PostgresLimits;
  readonly make: MakeClient;
  connectionOver(session: Session, patienceMs: number): Connection;
}

export class PostgresWriter {
  readonly #parts: WriterParts;
  readonly #limits: PostgresLimits;
  /** Under which this process leaves its marks: our own, so it needs no quoting. */
  readonly #name = newGuid();
  #session: Session | undefined;
  /** Of sessions that broke: the server may not know yet. */
  #left: Backend[] = [];
  #marks = 0;
  #silence: { readonly error: unknown; readonly until: number } | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#limits = parts.limits;
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
      await session.query(sql, { patienceMs: this.#limits.briefMs }).catch(() => undefined);
    }
    await session.end();
  }

  async #beginOn(session: Session, kind: TransactionKind): Promise<Transaction> {
    try {
      await this.#lock(session, kind);
    } catch (error) {
      await this.#undo(session);
      throw error;
    }
    return this.#transactionOn(session, kind);
  }

  /** Nearly always the lock is free: then all of it is one question, and a server that is silent is known by that soon. */
  async #lock(session: Session, kind: TransactionKind): Promise<void> {
    const { lockMs, idleMs, migrationMs, answerMs, briefMs } = this.#limits;
    const mostMs = kind === 'migration' ? migrationMs : lockMs;
    const statements = `set local statement_timeout = ${this.#statementMs(kind)}`;
    const begin = `begin; set local lock_timeout = ${mostMs}; set local idle_in_transaction_session_timeout = ${idleMs};
      ${statements}; select pg_try_advisory_xact_lock(${WRITERS_LOCK}) as is_free`;
    const answers = await session.query(begin, { patienceMs: briefMs });
    if (answers.at(-1)?.rows[0]?.is_free === true) return;
    // Waiting has a limit of its own.
    const wait = `set local statement_timeout = 0; select pg_advisory_xact_lock(${WRITERS_LOCK}); ${statements}`;
    await session.query(wait, { patienceMs: mostMs + answerMs });
  }

  #transactionOn(session: Session, kind: TransactionKind): Transaction {
    let isOver = false;
    const { heartbeatMs, briefMs, answerMs } = this.#limits;
    const heart = systemClock.every(Temporal.Duration.from({ milliseconds: heartbeatMs }), () => {
      // When it is not heard, the next statement says so.
      if (session.idleMs > 0) session.query('select 1', { patienceMs: briefMs }).catch(() => undefined);
    });
    const end = () => {
      isOver = true;
      heart[Symbol.dispose]();
    };
    const below = this.#parts.connectionOver(session, this.#statementMs(kind) + answerMs);
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
    const patienceMs = this.#statementMs(kind) + this.#limits.answerMs;
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

  #statementMs(kind: TransactionKind): number {
    return kind === 'migration' ? this.#limits.migrationMs : this.#limits.statementMs;
  }

  async #undo(session: Session): Promise<void> {
    if (!session.isWhole) return;
    // One that does not even end has no next transaction.
    await session.query('rollback', { patienceMs: this.#limits.briefMs }).catch(() => session.end());
  }

  async #ready(): Promise<Session> {
    const session = this.#session;
    if (session && session.idleMs > this.#limits.restedMs) {
      await session.query('select 1', { patienceMs: this.#limits.briefMs }).catch(() => undefined);
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
    const session = new Session(this.#parts.make, this.#limits);
    const begunAt = performance.now();
    try {
      await session.connect();
      for (const { pid, begunAt } of this.#left) {
        await session.query(END_BACKEND, { values: [pid, begunAt], patienceMs: this.#limits.briefMs });
      }
    } catch (error) {
      await session.end();
      const isSilent = performance.now() - begunAt >= this.#limits.connectMs;
      this.#silence = isSilent ? { error, until: performance.now() + this.#limits.silenceMs } : undefined;
      throw error;
    }
    this.#left = [];
    this.#silence = undefined;
    return session;
  }
}
