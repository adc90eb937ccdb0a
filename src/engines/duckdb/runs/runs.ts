// Begins runs: takes the tables as they are, finds the instance to run on, and sees to it that nobody takes the memory of all.

import { join } from 'node:path';
import { HostThreads } from '#engines/duckdb/host/host-threads.ts';
import { ExecutionSlots } from '#engines/duckdb/instance/execution-slots.ts';
import { orExhausted } from '#engines/duckdb/instance/exhausted.ts';
import { type Duck, openDuck } from '#engines/duckdb/instance/instance.ts';
import { IsolatedInstances, MAX_ACCOUNTS } from '#engines/duckdb/instance/isolated-instances.ts';
import { MemoryWatch } from '#engines/duckdb/instance/memory-watch.ts';
import type { LogTable } from '#engines/duckdb/storage/table.ts';
import type { Staging } from '#engines/engine.ts';
import type { PlanRun, RunParts } from '#engines/plan-run.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';

/** What queries may take together, and those of one account that run apart. */
export interface EngineLimits {
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly accountMemoryBytes: number;
  readonly accountDiskBytes: number;
}

export interface RunsParts {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  /** Nothing in it outlives a process. */
  readonly spillFolder: string;
  readonly memoryFolder: string;
}

/** So many times what its instances may have the process may have, and what it has anyway: not all is in their books. */
const UNACCOUNTED = 1.5;
const PROCESS_BYTES = 2 ** 30;

interface Places {
  shared(): Promise<Duck>;
  secret(): Promise<Duck>;
  stage(table: string): Promise<Staging>;
}

export class Runs {
  readonly #parts: RunsParts;
  readonly #watch: MemoryWatch;
  readonly #apart: IsolatedInstances;
  readonly #atWork: ExecutionSlots;
  readonly #threads = new HostThreads();
  #shared: Promise<Duck> | undefined;

  constructor(parts: RunsParts) {
    this.#parts = parts;
    const { memoryBytes, accountMemoryBytes, accountDiskBytes } = parts.limits;
    this.#watch = new MemoryWatch({
      clock: parts.clock,
      mostBytes: (memoryBytes + MAX_ACCOUNTS * accountMemoryBytes) * UNACCOUNTED + PROCESS_BYTES,
      resident: () => process.memoryUsage.rss(),
      mostHeldBytes: memoryBytes / 2,
      held: async () => (await (await this.#shared)?.use())?.heldBytes ?? 0,
    });
    // Work takes the time of the machine, whatever clock the service goes by.
    this.#atWork = new ExecutionSlots(systemClock);
    this.#apart = new IsolatedInstances({
      folder: parts.spillFolder,
      memoryBytes: accountMemoryBytes,
      diskBytes: accountDiskBytes,
    });
  }

  get pieces(): { readonly atWork: number; readonly waiting: number } {
    return this.#atWork.pieces;
  }

  /** The instance that tables and runs share. */
  openShared(): Promise<Duck> {
    this.#shared ??= this.#open();
    return this.#shared;
  }

  async close(): Promise<void> {
    await this.#threads.close();
    await this.#apart.close();
  }

  #open(): Promise<Duck> {
    const { limits, spillFolder } = this.#parts;
    const { memoryBytes, diskBytes } = limits;
    const relieve = () => this.#watch.relieve();
    return openDuck({ spillFolder: join(spillFolder, 'shared'), memoryBytes, diskBytes, relieve });
  }

  /** `shared` is for runs without a table, `secret` for those of them that read what came from encrypted ones. */
  begin(parts: RunParts, tables: ReadonlyMap<string, LogTable>, places: Places): Promise<PlanRun> {
    return orExhausted(this.#begun(parts, tables, places), parts);
  }

  async #begun(
    parts: RunParts,
    tables: ReadonlyMap<string, LogTable>,
    { shared, secret, stage }: Places,
  ): Promise<PlanRun> {
    await using leaving = new AsyncDisposableStack();
    const ending = AbortSignal.any([parts.signal, leaving.use(this.#watch.enter()).signal]);
    const work = this.#atWork.begin({ account: parts.account, isLong: parts.isLong, signal: ending });
    const { signal } = work;
    const apart = parts.isApart ? leaving.use(await this.#apart.borrow(parts.account, signal)) : undefined;
    const duck = await import('@duckdb/node-api');
    // With the first run, like all that is not needed for taking records in.
    const [{ RunTables }, { DuckdbRun }] = await Promise.all([import('./run-tables.ts'), import('./duck-run.ts')]);
    const { memoryFolder, spillFolder } = this.#parts;
    const place = {
      memoryFolder,
      awaited: parts.awaited,
      secretLookups: parts.lookups?.isSecret ? ['lookup'] : [],
      apart: apart && { duck: apart.duck, folder: spillFolder },
    };
    const tablesOfRun = leaving.use(new RunTables(tables, place));
    await tablesOfRun.gather();
    const instance = tablesOfRun.duck ?? (await (tablesOfRun.secret.length > 0 ? secret() : (apart?.duck ?? shared())));
    const session = leaving.use(await instance.session(work));
    const held = leaving.move();
    return new DuckdbRun({
      ...parts,
      ...{ signal, work, duck, session, tablesOfRun, stage },
      clock: this.#parts.clock,
      threads: this.#threads,
      file: () => tablesOfRun.file(join(spillFolder, 'host')),
      newSession: () => instance.session(work),
      left: () => held.disposeAsync(),
    });
  }
}
