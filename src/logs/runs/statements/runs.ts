// Begins runs: takes snapshots of the tables, chooses the instance to run on, and bounds the memory that a run can take.

import { join } from 'node:path';
import { residentBytes } from '#files/resident-memory.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import type { LogRecord, Staging } from '#logs/log-store.ts';
import type { OutlineDeps, Run, RunDeps } from '#logs/run.ts';
import { writeEmptyFile } from '#logs/runs/duckdb/empty-file.ts';
import { ExecutionSlots } from '#logs/runs/duckdb/execution-slots.ts';
import { orExhausted } from '#logs/runs/duckdb/exhausted.ts';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { IsolatedInstances, MAX_ACCOUNTS } from '#logs/runs/duckdb/isolated-instances.ts';
import { MemoryWatch } from '#logs/runs/duckdb/memory-watch.ts';
import { LocalThreads } from '#logs/runs/local/local-threads.ts';
import type { PlannedTables, RunContext, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';

/** Limits of all queries together, and of the isolated queries of one account. */
export interface EngineLimits {
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly accountMemoryBytes: number;
  readonly accountDiskBytes: number;
}

interface RunsDeps {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  /** Nothing in it outlives a process. */
  readonly spillFolder: string;
  readonly memoryFolder: string;
  /** Whether the rows of tables come in files without a name. */
  readonly readsNameless?: boolean;
}

/** The process may take so many times the limit of its instances, and a constant: DuckDB does not count all of its memory. */
const UNACCOUNTED = 1.5;
const PROCESS_BYTES = 2 ** 30;

interface RunTables {
  /** The tables of the run, as they are now. */
  tables(context: RunContext): Promise<TablesOfRun>;
  /** For runs without a table. */
  shared(): Promise<Instance>;
  /** For those of them that read lookups made of encrypted tables. */
  secret(): Promise<Instance>;
  stage(table: string): Promise<Staging>;
  append(table: string, records: readonly LogRecord[]): Promise<void>;
  /** Of a file of a stored lookup. */
  lookupPath(file: string): string;
}

export class Runs {
  readonly #deps: RunsDeps;
  readonly #watch: MemoryWatch;
  readonly #apart: IsolatedInstances;
  readonly #slots: ExecutionSlots;
  readonly #threads = new LocalThreads();
  #shared: Promise<Instance> | undefined;
  #modules: ReturnType<typeof loadModules> | undefined;
  #emptyFile: Promise<string | undefined> | undefined;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    const { memoryBytes, accountMemoryBytes, accountDiskBytes } = deps.limits;
    // Memory and slots are sampled in real time, also where the service has another clock.
    this.#watch = new MemoryWatch({
      clock: systemClock,
      maxBytes: (memoryBytes + MAX_ACCOUNTS * accountMemoryBytes) * UNACCOUNTED + PROCESS_BYTES,
      resident: () => residentBytes(),
      maxHeldBytes: memoryBytes / 2,
      held: async () => (await (await this.#shared)?.use())?.heldBytes ?? 0,
    });
    this.#slots = new ExecutionSlots(systemClock);
    this.#apart = new IsolatedInstances({
      readsNameless: deps.readsNameless === true,
      folder: deps.spillFolder,
      memoryBytes: accountMemoryBytes,
      diskBytes: accountDiskBytes,
    });
  }

  get tasks(): { readonly running: number; readonly waiting: number } {
    return this.#slots.tasks;
  }

  /** The instance that tables and runs share. */
  openShared(): Promise<Instance> {
    this.#shared ??= this.#open();
    return this.#shared;
  }

  async close(): Promise<void> {
    await this.#threads.close();
    await this.#apart.close();
  }

  #open(): Promise<Instance> {
    const { limits, spillFolder, readsNameless = false } = this.#deps;
    const { memoryBytes, diskBytes } = limits;
    const relieve = () => this.#watch.relieve();
    return openInstance({ spillFolder: join(spillFolder, 'shared'), readsNameless, memoryBytes, diskBytes, relieve });
  }

  /** Queries do without it on a full disk, and the next one tries again. */
  #writeEmptyFile(): Promise<string | undefined> {
    return writeEmptyFile(this.#deps.spillFolder).catch(() => {
      this.#emptyFile = undefined;
      return undefined;
    });
  }

  begin(deps: RunDeps, tables: RunTables): Promise<Run> {
    return orExhausted(this.#begun(deps, tables), deps);
  }

  /** `tables` are held while the plan is looked at. */
  async outline(
    deps: OutlineDeps,
    tables: (context: RunContext) => Promise<PlannedTables & AsyncDisposable>,
  ): Promise<void> {
    this.#modules ??= loadModules();
    const { duckdb, RunOutline } = await this.#modules;
    const { memoryFolder, spillFolder } = this.#deps;
    const { awaited, signal } = deps;
    const context = { memoryFolder, spillFolder, awaited, signal, secretLookups: [], emptyFile: undefined };
    await using tablesOfRun = await tables(context);
    await new RunOutline({ ...deps, duckdb, tablesOfRun }).tell();
  }

  async #begun(deps: RunDeps, { tables, shared, secret, stage, append, lookupPath }: RunTables): Promise<Run> {
    await using leaving = new AsyncDisposableStack();
    const ending = AbortSignal.any([deps.signal, leaving.use(this.#watch.enter()).signal]);
    const work = this.#slots.begin({ account: deps.account, isLong: deps.isLong, signal: ending });
    const { signal } = work;
    const apart = deps.isApart ? leaving.use(await this.#apart.borrow(deps.account, signal)) : undefined;
    this.#modules ??= loadModules();
    const { duckdb, DuckdbRun, largeCharts } = await this.#modules;
    const { memoryFolder, spillFolder } = this.#deps;
    this.#emptyFile ??= this.#writeEmptyFile();
    const tablesOfRun = await tables({
      memoryFolder,
      spillFolder,
      signal,
      emptyFile: await this.#emptyFile,
      recorder: deps.recorder,
      awaited: deps.awaited,
      secretLookups: [...(deps.lookups?.isSecret ? ['lookup'] : []), ...(deps.hasSecretRows ? ['system'] : [])],
      apart: apart && { instance: apart.instance, folder: spillFolder },
    });
    leaving.use(tablesOfRun);
    const instance =
      tablesOfRun.instance ?? (await (tablesOfRun.secret.length > 0 ? secret() : (apart?.instance ?? shared())));
    const session = leaving.use(instance.session(work));
    const held = leaving.move();
    return new DuckdbRun({
      ...deps,
      signal,
      work,
      duckdb,
      session,
      tablesOfRun,
      stage,
      append,
      lookupPath,
      clock: this.#deps.clock,
      threads: this.#threads,
      largeCharts,
      file: () => tablesOfRun.file(join(spillFolder, 'local')),
      newSession: () => instance.session(work),
      release: () => held.disposeAsync(),
    });
  }
}

/** With the first run, like all that is not needed for taking records in. */
async function loadModules() {
  const [duckdb, { DuckdbRun }, { LargeCharts }, { RunOutline }] = await Promise.all([
    import('@duckdb/node-api'),
    import('./duckdb-run.ts'),
    import('./charts/large-charts.ts'),
    import('./run-outline.ts'),
  ]);
  return { duckdb, DuckdbRun, largeCharts: new LargeCharts(), RunOutline };
}
