// Databases of connection profiles, as the commands dbquery, dblookup and dboutput use them. Failures become errors of the query
// at the place of the command.

import { usableProfiles } from '#connections/profiles.ts';
import type { Role } from '#contract/values.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue } from '#query/model/values.ts';
import { zoneNamed } from '#query/model/zones.ts';
import type { DatabaseLookup } from '#query/plan-nodes/dblookup.ts';
import type { DatabaseOutput } from '#query/plan-nodes/dboutput.ts';
import type { DatabaseRows } from '#query/plan-nodes/dbquery.ts';
import type { ConnectionProfileRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { type AnswerContext, LookupAnswers } from './database-answers.ts';
import {
  CeilingReached,
  DatabaseUnreachable,
  RowTooLarge,
  StatementRefused,
  UnboundValue,
} from './database-failure.ts';
import type { DatabaseSession } from './database-session.ts';
import { DatabaseSink, type StoredRows } from './database-sink.ts';
import type { Lease, SessionPool } from './session-pool.ts';
import { StatementTime } from './statement-time.ts';

export interface DatabasesDeps {
  readonly store: Store;
  readonly pool: SessionPool;
  readonly clock: Clock;
}

/** Facts of the query that uses databases. */
export interface DatabaseRunOptions {
  readonly zone: string;
  /** The account whose rights a node has. */
  accountOf(guid: string | undefined): { readonly userGuid: string; readonly role: Role };
  /** Called once for each dboutput that has ended, also where the query fails. */
  stored(node: DatabaseOutput, rows: StoredRows): Promise<void>;
}

type DatabaseNode = DatabaseRows | DatabaseLookup | DatabaseOutput;

export class Databases {
  readonly #deps: DatabasesDeps;

  constructor(deps: DatabasesDeps) {
    this.#deps = deps;
  }

  forRun(options: DatabaseRunOptions) {
    const using = <N extends DatabaseNode>(node: N, signal: AbortSignal) =>
      new ProfileUse(node, signal, { ...this.#deps, ...options });
    return {
      rows: (node: DatabaseRows, signal: AbortSignal) => rowsOf(node, using(node, signal)),
      lookup: (node: DatabaseLookup, signal: AbortSignal) => new LookupAnswers(node, using(node, signal)),
      sink: (node: DatabaseOutput, signal: AbortSignal) =>
        new DatabaseSink(node, using(node, signal), (rows) => options.stored(node, rows)),
    };
  }
}

async function* rowsOf(node: DatabaseRows, use: ProfileUse): AsyncGenerator<readonly MapValue[]> {
  const { sql, values, limit } = node;
  if (limit === 0n) return;
  const most = limit === undefined ? {} : { limit: Number(limit) };
  try {
    yield* use.reading(async function* (session, { profile, time, zone }) {
      const { max_rows, max_bytes: maxBytes } = profile;
      if (limit !== undefined && Number(limit) <= max_rows) await time.wait(session.limitRows(Number(limit)));
      const rows = session.rows({ text: sql.text, values, zone, maxBytes, ...most });
      let count = 0;
      try {
        for (;;) {
          const { value, done } = await time.wait(rows.next());
          if (done) return;
          count += value.rows.length;
          if (count > max_rows) throw new CeilingReached('rows', count, max_rows);
          yield value.rows;
        }
      } finally {
        // A statement whose rows are not all read must end before the session takes the next one.
        if (session.isOpen) await rows.return(undefined);
      }
    });
  } catch (error) {
    throw use.queryError(error);
  }
}

interface UseContext {
  readonly profile: ConnectionProfileRow;
  readonly time: StatementTime;
  readonly zone: string;
}

interface ProfileUseDeps extends DatabasesDeps, DatabaseRunOptions {}

/** The use of a profile by a command of a run. */
class ProfileUse implements AnswerContext {
  readonly #node: DatabaseNode;
  readonly #signal: AbortSignal;
  readonly #deps: ProfileUseDeps;

  constructor(node: DatabaseNode, signal: AbortSignal, deps: ProfileUseDeps) {
    this.#node = node;
    this.#signal = signal;
    this.#deps = deps;
  }

  /** Statements in a transaction that only reads and is rolled back; the session is reset before it serves again. */
  async *reading<T>(work: (session: DatabaseSession, context: UseContext) => AsyncGenerator<T>): AsyncGenerator<T> {
    const { lease, context } = await this.#begin('read only');
    const { session } = lease;
    try {
      yield* work(session, context);
    } finally {
      await this.#leave(lease);
    }
  }

  /** Statements in one transaction: all or nothing. */
  async writing(work: (session: DatabaseSession, context: UseContext) => Promise<void>): Promise<void> {
    const { lease, context } = await this.#begin('read write');
    const { session } = lease;
    try {
      await work(session, context);
      await context.time.wait(session.commit());
    } finally {
      await this.#leave(lease);
    }
  }

  /** Rolls back what is not committed. */
  async #leave(lease: Lease): Promise<void> {
    const { session } = lease;
    if (session.isOpen)
      await this.#time(session, LEAVE_MS, NEVER)
        .wait(session.rollback())
        .catch(() => session.close());
    await lease.release();
  }

  async #begin(access: 'read only' | 'read write'): Promise<{ lease: Lease; context: UseContext }> {
    const { zone: queryZone } = this.#deps;
    const profile = await this.#profile();
    const zone = zoneNamed(profile.zone ?? queryZone) ?? queryZone;
    const lease = await this.#deps.pool.lease(profile, this.#signal);
    const time = this.#time(lease.session, this.#maxMs(profile), this.#signal);
    try {
      await time.wait(lease.session.setZone(zone, this.#deps.clock.now()));
      await time.wait(lease.session.begin(access));
      return { lease, context: { profile, time, zone } };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  #time(session: DatabaseSession, maxMs: number, signal: AbortSignal): StatementTime {
    return new StatementTime(session, { clock: this.#deps.clock, maxMs, signal });
  }

  #maxMs({ timeout }: ConnectionProfileRow): number {
    const own = 'timeoutMs' in this.#node ? this.#node.timeoutMs : undefined;
    return Math.min(timeout * 1000, own ?? Number.POSITIVE_INFINITY);
  }

  get #isOutput(): boolean {
    return 'table' in this.#node;
  }

  /** As it is now: rights may have changed since the query was checked. */
  async #profile(): Promise<ConnectionProfileRow> {
    const { profile: name, account, profileAt } = this.#node;
    const user = this.#deps.accountOf(account);
    const [found] = await this.#deps.store.read((db) => usableProfiles(db, [name], user));
    if (!found || found.kind === 'http') throw new QueryError(10600, profileAt, { name });
    const mayWrite = found.mayWrite && found.writable === 1;
    if (this.#isOutput && !mayWrite) throw new QueryError(30201, profileAt, { name });
    return found;
  }

  /** The error of the query for a failure of the database; all others as they are. */
  queryError(error: unknown): unknown {
    const { begin, end, profile: name, profileAt } = this.#node;
    const span = { begin, end };
    if (error instanceof DatabaseUnreachable) return new QueryError(10601, profileAt, { name });
    if (error instanceof StatementRefused) {
      return new QueryError(this.#isOutput ? 30202 : 10605, span, { detail: error.message });
    }
    if (error instanceof CeilingReached) {
      return new QueryError(10604, span, { what: { term: error.ceiling }, n: error.count, max: error.max });
    }
    if (error instanceof RowTooLarge) return new QueryError(93003, span);
    if (!(error instanceof UnboundValue)) return error;
    const { index, type } = error;
    return new QueryError(10606, span, { name: this.#valueName(index), type });
  }

  #valueName(index: number): string {
    const names = 'sql' in this.#node ? this.#node.sql.names : this.#node.columns.map(({ field }) => field);
    return names[index % Math.max(1, names.length)] ?? '';
  }
}

/** For the end of a transaction, also of a query that is cancelled. */
const LEAVE_MS = 5000;
const NEVER = new AbortController().signal;
