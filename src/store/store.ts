// The metadata store. All changes go through one writer as units; units that are waiting at the same moment share one
// transaction and so one flush to disk (group commit). A unit that fails is undone alone, by its savepoint. Whoever
// writes gets its answer only after the group is durable.

import { performance } from 'node:perf_hooks';
import type { Connection, DialectName, Driver } from './connection.ts';
import { type Db, kyselyOver } from './kysely.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const UNITS_PER_GROUP = 1000;

export interface Store {
  readonly dialect: DialectName;
  readonly isShared: boolean;
  readonly reader: Connection;
  readonly scanner: Connection;
  /** Reads committed rows. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one unit and resolves when it is durable. `work` may await nothing but `db`, and turns of the event loop
   * where it computes for long: all other units wait for it, nothing else does. When it throws, its changes are undone, `failed` runs in the same group, and the promise is rejected after the group is durable.
   */
  write<T>(work: (db: Db) => Promise<T>, failed?: (error: unknown) => void): Promise<T>;
  /** Lets `effect` take part in the next group: for those who only add to what `onGroup` seals. */
  join(effect: () => void): Promise<void>;
  onGroup(hook: GroupHook): void;
  close(): Promise<void>;
}

/** Takes part in every group, in its transaction. */
export interface GroupHook {
  seal(writer: Connection): Promise<void>;
  committed(): void;
  rolledBack(): void;
}

/** Told what happens inside, for measuring. */
export interface StoreObserver {
  groupCommitted(units: number, milliseconds: number): void;
  storeFailed(error: unknown): void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Unit {
  perform(): Promise<Outcome>;
  settle(outcome: Outcome): void;
}

/** `location` is a data folder, or a `postgres://` URL. */
export async function openStore(location: string, observer: StoreObserver): Promise<Store> {
  const isPostgres = /^postgres(ql)?:\/\//.test(location);
  const driver = isPostgres ? await openPostgres(location) : openSqlite(location);
  try {
    await migrate(driver);
  } catch (error) {
    // Open connections would keep the process from ending.
    await driver.close();
    throw error;
  }
  return new GroupCommitStore(driver, observer);
}

class GroupCommitStore implements Store {
  readonly dialect: DialectName;
  readonly isShared: boolean;
  readonly reader: Connection;
  readonly scanner: Connection;
  readonly #driver: Driver;
  readonly #observer: StoreObserver;
  readonly #hooks: GroupHook[] = [];
  #queue: Unit[] = [];
  #committing: Promise<void> | undefined;
  #reading: Promise<Db> | undefined;
  #writing: Promise<Db> | undefined;

  constructor(driver: Driver, observer: StoreObserver) {
    this.dialect = driver.dialect;
    this.isShared = driver.isShared;
    this.reader = driver.reader;
    this.scanner = driver.scanner;
    this.#driver = driver;
    this.#observer = observer;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#reading ??= kyselyOver(this.#driver.reader, this.dialect);
    return await work(await this.#reading);
  }

  write<T>(work: (db: Db) => Promise<T>, failed?: (error: unknown) => void): Promise<T> {
    return this.#enqueue(() => this.#inSavepoint(work, failed));
  }

  join(effect: () => void): Promise<void> {
    return this.#enqueue(async () => ({ value: effect() }));
  }

  onGroup(hook: GroupHook): void {
    this.#hooks.push(hook);
  }

  async close(): Promise<void> {
    while (this.#committing) await this.#committing;
    await this.#driver.close();
  }

  #enqueue<T>(perform: () => Promise<Outcome>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // The value is the one this very unit gave.
    const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T));
    this.#queue.push({ perform, settle });
    this.#committing ??= this.#commitAll();
    return promise;
  }

  async #commitAll(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that arrived in the same turn of the event loop join the same group.
      await new Promise(setImmediate);
      await this.#commitGroup(this.#queue.splice(0, UNITS_PER_GROUP));
    }
    this.#committing = undefined;
  }

  async #commitGroup(units: readonly Unit[]): Promise<void> {
    const begun = performance.now();
    const outcomes: Outcome[] = [];
    try {
      await this.#driver.begin();
      for (const unit of units) outcomes.push(await unit.perform());
      for (const hook of this.#hooks) await hook.seal(this.#driver.writer);
      await this.#driver.commit();
    } catch (error) {
      await this.#abandonGroup(units, error);
      return;
    }
    this.#tellCommitted();
    this.#observer.groupCommitted(units.length, performance.now() - begun);
    for (const [index, unit] of units.entries()) unit.settle(outcomes[index] ?? { value: undefined });
  }

  /** The group is durable: what goes wrong from here on must neither undo it nor keep its units waiting. */
  #tellCommitted(): void {
    for (const hook of this.#hooks) {
      try {
        hook.committed();
      } catch (error) {
        this.#observer.storeFailed(error);
      }
    }
  }

  async #abandonGroup(units: readonly Unit[], error: unknown): Promise<void> {
    this.#observer.storeFailed(error);
    await this.#driver.rollback();
    for (const hook of this.#hooks) hook.rolledBack();
    for (const unit of units) unit.settle({ error });
  }

  async #inSavepoint(work: (db: Db) => Promise<unknown>, failed?: (error: unknown) => void): Promise<Outcome> {
    this.#writing ??= kyselyOver(this.#driver.writer, this.dialect);
    const db = await this.#writing;
    const { writer } = this.#driver;
    await writer.exec('savepoint unit');
    try {
      const value = await work(db);
      await writer.exec('release unit');
      return { value };
    } catch (error) {
      await writer.exec('rollback to unit; release unit');
      failed?.(error);
      return { error };
    }
  }
}
