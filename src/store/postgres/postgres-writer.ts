// The writer of a PostgreSQL database. A transaction owns a session until it ends; a session that breaks ends its
// transaction. Waiting is limited on both sides: in this process, so that callers get an error, and at the server, so
// that an abandoned transaction releases the writers' lock.

import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import {
  type Connection,
  guarded,
  type Transaction,
  type TransactionKind,
  TransactionOver,
} from '#store/connection.ts';
import { CommitUnanswered, StoreUnreachable } from '#store/unreachable.ts';
import type { PostgresLimits } from './postgres-limits.ts';
import { type Backend, type MakeClient, Session } from './postgres-session.ts';

// Taken by every writing transaction of every node: writes are serialized, so the audit chain has one head.
const WRITERS_LOCK = 0x56494749;

/** Marks of processes that ended without deleting them. */
const MARKS_KEPT_DAYS = 7;

const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const END_BACKEND = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and extract(epoch from backend_start)::text = $2`;

interface WriterDeps {
  readonly limits: PostgresLimits;
  readonly make: MakeClient;
  connectionOn(session: Session, timeoutMs: number): Connection;
}

export class PostgresWriter {
  readonly #deps: WriterDeps;
  readonly #limits: PostgresLimits;
  /** Key of the marks of this process: generated here, so it needs no quoting. */
  readonly #name = newGuid();
  #session: Session | undefined;
  /** Backends of broken sessions: the server may not have noticed yet. */
  #left: Backend[] = [];
  #marks = 0;
  #silence: { readonly error: unknown; readonly until: number } | undefined;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    this.#limits = deps.limits;
  }

  /** A failure to begin on an older connection has no effect yet, so a new connection is tried. */
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
      await session.query(sql, { timeoutMs: this.#limits.briefMs }).catch(() => undefined);
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

  /** The lock is nearly always free: then everything is one round trip, which also detects a silent server early. */
  async #lock(session: Session, kind: TransactionKind): Promise<void> {
    const { lockMs, idleMs, migrationMs, answerMs, briefMs } = this.#limits;
    const maxMs = kind === 'migration' ? migrationMs : lockMs;
    const statements = `set local statement_timeout = ${this.#statementMs(kind)}`;
    const begin = `begin; ${session.planRenewal}set local lock_timeout = ${maxMs}; set local idle_in_transaction_session_timeout = ${idleMs};
      ${statements}; select pg_try_advisory_xact_lock(${WRITERS_LOCK}) as is_free`;
    const answers = await session.query(begin, { timeoutMs: briefMs });
    if (answers.at(-1)?.rows[0]?.is_free === true) return;
    // Waiting for the lock is limited by `lock_timeout` instead.
    const wait = `set local statement_timeout = 0; select pg_advisory_xact_lock(${WRITERS_LOCK}); ${statements}`;
    await session.query(wait, { timeoutMs: maxMs + answerMs });
  }

  #transactionOn(session: Session, kind: TransactionKind): Transaction {
    let isOver = false;
    const { heartbeatMs, briefMs, answerMs } = this.#limits;
    const heart = new Periodic({
      clock: systemClock,
      period: Temporal.Duration.from({ milliseconds: heartbeatMs }),
      work: () => (session.idleMs > 0 ? session.query('select 1', { timeoutMs: briefMs }) : undefined),
      // A failed heartbeat shows at the next statement.
      failed: ignoreFailure,
    });
    const end = () => {
      isOver = true;
      heart[Symbol.dispose]();
    };
    const below = this.#deps.connectionOn(session, this.#statementMs(kind) + answerMs);
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
    const timeoutMs = this.#statementMs(kind) + this.#limits.answerMs;
    this.#marks += 1;
    const number = this.#marks;
    const mark = `insert into writer_marks (writer, number, at) values ('${this.#name}', ${number}, ${NOW_MS})
      on conflict (writer) do update set number = excluded.number, at = excluded.at; `;
    try {
      const answers = await session.query(`${kind === 'changes' ? mark : ''}commit`, { timeoutMs });
      // The server answers the commit of a failed transaction with ROLLBACK.
      if (answers.at(-1)?.command !== 'COMMIT') throw new Error('a statement of this transaction had failed');
    } catch (error) {
      if (kind === 'migration' || !(error instanceof StoreUnreachable)) throw error;
      throw new CommitUnanswered(error, () => this.#isMarked(number));
    }
  }

  /** The lock of all writers is held here, so the transaction in doubt has ended. */
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
    // A session that cannot roll back is ended.
    await session.query('rollback', { timeoutMs: this.#limits.briefMs }).catch(() => session.end());
  }

  async #ready(): Promise<Session> {
    const session = this.#session;
    if (session && session.idleMs > this.#limits.probeAfterMs) {
      await session.query('select 1', { timeoutMs: this.#limits.briefMs }).catch(() => undefined);
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
    const session = new Session(this.#deps.make, this.#limits);
    const begunAt = performance.now();
    try {
      await session.connect();
      for (const { pid, begunAt } of this.#left) {
        await session.query(END_BACKEND, { values: [pid, begunAt], timeoutMs: this.#limits.briefMs });
      }
    } catch (error) {
      await session.end();
      const isSilent = performance.now() - begunAt >= this.#limits.connectMs;
      this.#silence = isSilent ? { error, until: performance.now() + this.#limits.backOffMs } : undefined;
      throw error;
    }
    this.#left = [];
    this.#silence = undefined;
    return session;
  }
}
