// The metadata store. All changes go through one writer as units; units that wait when a transaction has begun share it, and so
// one flush to disk (group commit): on a shared database also those that came while other nodes were writing. A unit that
// fails is undone alone, by its savepoint. A write resolves only after its group is durable.

import { performance } from 'node:perf_hooks';
import { systemClock } from '#kernel/time/clock.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import type { Connection, DialectName, Driver, Transaction } from './connection.ts';
import { type Db, kyselyOver } from './kysely.ts';
import { migrate, requireKnownVersion } from './migrate.ts';
import { openPostgres } from './postgres/postgres.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from './postgres/postgres-limits.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { type Group, type GroupHook, performGroup, type Unit } from './units/group.ts';
import { inSavepoint, type Open, type Outcome } from './units/unit.ts';
import { CommitUnanswered } from './unreachable.ts';

const UNITS_PER_GROUP = 1000;
/** Pause between two attempts to learn the outcome of a commit. */
const LOOK_AGAIN_MS = 500;

export interface Store {
  readonly dialect: DialectName;
  readonly reader: Connection;
  readonly scanner: Connection;
  /** Reads committed rows. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** As `read`, off the main thread: for statements that may look at millions of rows. */
  scan<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one unit and resolves when it is durable. `work` may await only `db`, and iterations of the event
   * loop where it computes for long: all other units wait for it. When it throws, its changes are undone, `failed` runs
   * in the same group, and the promise is rejected after the group is durable. Settles only when the outcome of the
   * unit is known, so state in memory beside the database is never wrong; `inTime` around it bounds the wait of a
   * caller.
   */
  write<T>(work: (db: Db) => Promise<T>, failed?: (error: unknown) => void): Promise<T>;
  /** Runs `effect` within the next group: for effects that only add to what `onGroup` seals. */
  join(effect: () => void): Promise<void>;
  /** The result of `work`; StoreUnreachable when its commit stays unanswered for long. `work` itself continues. */
  inTime<T>(work: Promise<T>): Promise<T>;
  /** Rejects when rows cannot be read, nothing can be written, or a newer version has changed the database. */
  check(): Promise<void>;
  onGroup(hook: GroupHook): void;
  /** Ends within seconds, even when the database does not answer. */
  close(): Promise<void>;
}

/** Events for metrics. */
export interface StoreObserver {
  groupCommitted(units: number, milliseconds: number): void;
  storeFailed(error: unknown): void;
}

/** `location` is a data folder, or a `postgres://` URL. */
export async function openStore(
  location: string,
  observer: StoreObserver,
  limits: PostgresLimits = POSTGRES_LIMITS,
): Promise<Store> {
  const isPostgres = /^postgres(ql)?:\/\//.test(location);
  const driver = isPostgres ? await openPostgres(location, limits) : openSqlite(location);
  try {
    await migrate(driver);
  } catch (error) {
    // Open connections would keep the process from ending.
    await driver.close();
    throw error;
  }
  return new GroupCommitStore(driver, observer, limits);
}

class GroupCommitStore implements Store {
  readonly dialect: DialectName;
  readonly reader: Connection;
  readonly scanner: Connection;
  readonly #driver: Driver;
  readonly #observer: StoreObserver;
  readonly #hooks: GroupHook[] = [];
  readonly #doubtMs: number;
  #queue: Unit[] = [];
  #committing: Promise<void> | undefined;
  #reading: Promise<Db> | undefined;
  #scanning: Promise<Db> | undefined;
  /** Pending health checks: settled by the next group, or by an empty transaction. */
  #checking: PromiseWithResolvers<void> | undefined;
  /** Callers waiting for a commit. */
  readonly #waiting = new Set<(error: unknown) => void>();
  #isClosing = false;
  #closed: Promise<void> | undefined;

  constructor(driver: Driver, observer: StoreObserver, { commitTimeoutMs: doubtMs }: PostgresLimits) {
    this.#doubtMs = doubtMs;
    this.dialect = driver.dialect;
    this.reader = driver.reader;
    this.scanner = driver.scanner;
    this.#driver = driver;
    this.#observer = observer;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#reading ??= kyselyOver(this.#driver.reader, this.dialect);
    return await work(await this.#reading);
  }

  async scan<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#scanning ??= kyselyOver(this.#driver.scanner, this.dialect);
    return await work(await this.#scanning);
  }

  write<T>(work: (db: Db) => Promise<T>, failed?: (error: unknown) => void): Promise<T> {
    return this.#enqueue((open) => inSavepoint(open, work, failed));
  }

  join(effect: () => void): Promise<void> {
    return this.#enqueue(async ({ pipeline }) => {
      // Effects come in the order of units.
      await pipeline.ended();
      return { value: effect() };
    });
  }

  async inTime<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#waiting.delete(reject);
    }
  }

  async check(): Promise<void> {
    this.#checking ??= Promise.withResolvers();
    const { promise } = this.#checking;
    this.#committing ??= this.#commitAll();
    await Promise.all([promise, requireKnownVersion(this.reader)]);
  }

  onGroup(hook: GroupHook): void {
    this.#hooks.push(hook);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    while (this.#committing) await this.#committing;
    await this.#driver.close();
  }

  #enqueue<T>(perform: (open: Open) => Promise<Outcome>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // The value comes from this unit, so its type is T.
    const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T));
    this.#queue.push({ perform, settle });
    this.#committing ??= this.#commitAll();
    return promise;
  }

  async #commitAll(): Promise<void> {
    while (this.#queue.length > 0 || this.#checking) {
      // Requests of the same event loop iteration join the same group.
      await yieldToEventLoop();
      if (this.#queue.length > 0) await this.#commitGroup();
      else await this.#tryWriter();
    }
    this.#committing = undefined;
  }

  /** Checks that a transaction can begin while no unit is queued. */
  async #tryWriter(): Promise<void> {
    try {
      await (await this.#driver.begin()).rollback();
      this.#checked();
    } catch (error) {
      this.#checked(error);
    }
  }

  #checked(error?: unknown): void {
    const asked = this.#checking;
    this.#checking = undefined;
    if (error === undefined) {
      asked?.resolve();
      return;
    }
    // The caller may have stopped waiting.
    asked?.promise.catch(() => undefined);
    asked?.reject(error);
  }

  async #commitGroup(): Promise<void> {
    const begun = performance.now();
    const group: Group = { units: [], outcomes: [] };
    try {
      await this.#inTransaction(group);
    } catch (error) {
      const isCommitted = error instanceof CommitUnanswered && (await this.#learn(error));
      if (isCommitted === undefined) return this.#refuse(group.units, error);
      if (!isCommitted) return this.#abandonGroup(group.units, error);
    }
    const { units, outcomes } = group;
    this.#tellCommitted();
    this.#checked();
    this.#observer.groupCommitted(units.length, performance.now() - begun);
    for (const [index, unit] of units.entries()) unit.settle(outcomes[index] ?? { value: undefined });
  }

  async #inTransaction(group: Group): Promise<void> {
    const transaction = await this.#begin(group);
    try {
      await performGroup(group, transaction.connection, { driver: this.#driver, hooks: this.#hooks });
      await transaction.commit();
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  /** The queue is taken once the transaction has begun: what came while others were writing belongs to the group. */
  async #begin(group: Group): Promise<Transaction> {
    try {
      return await this.#driver.begin();
    } finally {
      group.units.push(...this.#queue.splice(0, UNITS_PER_GROUP));
    }
  }

  /**
   * The outcome of an unanswered commit. Undefined when the store closes before it is known: the next start reads
   * everything anew. Until then nothing else is written, because state in memory depends on it.
   */
  async #learn(unanswered: CommitUnanswered): Promise<boolean | undefined> {
    this.#observer.storeFailed(unanswered);
    const since = performance.now();
    const failed = (error: unknown) => {
      this.#refuse(this.#queue.splice(0), error);
      if (!this.#isClosing && performance.now() - since > this.#doubtMs) for (const tell of this.#waiting) tell(error);
    };
    const mayRetry = () => !this.#isClosing;
    const options = { clock: systemClock, delays: sameDelay(LOOK_AGAIN_MS), failed, mayRetry };
    return await retry(() => unanswered.isCommitted(), options).catch(() => undefined);
  }

  /** The group is durable: a failure from here on must neither undo it nor keep its units waiting. */
  #tellCommitted(): void {
    for (const hook of this.#hooks) {
      try {
        hook.committed();
      } catch (error) {
        this.#observer.storeFailed(error);
      }
    }
  }

  #abandonGroup(units: readonly Unit[], error: unknown): void {
    const isReported = error instanceof CommitUnanswered;
    if (!isReported) this.#observer.storeFailed(error);
    for (const hook of this.#hooks) hook.rolledBack();
    // Its outcome is known now, so units are told why the commit failed and not that it is in doubt.
    this.#refuse(units, isReported ? error.cause : error);
  }

  #refuse(units: readonly Unit[], error: unknown): void {
    this.#checked(error);
    for (const unit of units) unit.settle({ error });
  }
}
