// The embedded log engine: tables as Parquet files with a journal in front, DuckDB in this process to read and rewrite
// them. A table is opened with its first use; one whose journal holds records is opened at the start.

import { constants } from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '#contract/errors.ts';
import { makeFolder } from '#files/durable.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Days } from '#kernel/time/days.ts';
import type { FoundCorruption } from '#logs/corruption.ts';
import {
  type EngineUse,
  type LogRecord,
  type LogStore,
  type NewRecords,
  type NewTable,
  type SourceOffset,
  type SourceSelection,
  type Staging,
  TableGone,
  type TableSpec,
  type TableStats,
} from '#logs/log-store.ts';
import { LookupFolder } from '#logs/lookups/lookup-folder.ts';
import type { OutlineDeps, Run, RunDeps } from '#logs/run.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { MergeInstances } from '#logs/runs/duckdb/merge-instances.ts';
import { SealInstance } from '#logs/runs/duckdb/seal-instance.ts';
import { type EngineLimits, Runs } from '#logs/runs/statements/runs.ts';
import type { RunContext, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ColumnRegistry, LearntColumns } from '#logs/stores/shared/columns.ts';
import { knownTable } from '#logs/stores/shared/known-table.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { Protection } from './protection/protection.ts';
import {
  insertTable,
  readCatalog,
  removeSourceOffsets,
  sealedBytes,
  sealedStats,
  segmentFiles,
  switchCatalog,
  tableSpecs,
  writeIndexBytes,
} from './storage/catalog.ts';
import { FilterCache } from './storage/filter-cache.ts';
import { InsertBacklog } from './storage/insert-backlog.ts';
import { holdsRecords } from './storage/journal.ts';
import { Maintenance } from './storage/maintenance.ts';
import { sealAtStop } from './storage/seal-at-stop.ts';
import { folderOf } from './storage/stored-tables.ts';
import { sweepFolder } from './storage/sweep.ts';
import type { LogTable, Sealing, TableDeps } from './storage/table.ts';

export interface DuckdbEngineDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
  readonly dataFolder: string;
  /** Where encrypted tables are in clear, and how much of them at most. */
  readonly memory: { readonly folder: string; readonly cacheBytes: number };
  readonly limits: EngineLimits;
  /** Whether rows of other locations come in files without a name. */
  readonly readsNameless?: boolean;
  /** The registry of a table that may be in other locations, too. */
  registryOf?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  readonly maintenancePeriod: Temporal.Duration;
  /** When fresh records are sealed. */
  readonly sealing: Sealing;
  /** Resting days that are older become dense; 0 for never. */
  readonly denseAfterDays: number;
  /** Resting days in an earlier form are rewritten so long after the first start that knew the present one; 0 for never. */
  readonly rewriteAfterDays: number;
  /** A day of a table took the present form. */
  onRewritten?(): void;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
  /** Reports a table with fresh records that stays closed. */
  unopened(table: string, refusal: ApiError): void;
  /** Reports every corrupt file once. */
  onCorruption(found: FoundCorruption): void;
}

/** Where the tables of a run are read and written. */
export interface RunTables {
  tables(context: RunContext): Promise<TablesOfRun>;
  stage(table: TableSpec): Promise<Staging>;
  append(table: TableSpec, records: readonly LogRecord[]): Promise<number>;
}

export async function openDuckdbEngine(deps: DuckdbEngineDeps): Promise<EmbeddedStore> {
  const engine = new EmbeddedStore(deps);
  await engine.recover();
  return engine;
}

export class EmbeddedStore implements LogStore {
  readonly lookups: LookupFolder;
  readonly #deps: DuckdbEngineDeps;
  readonly #days: Days;
  readonly #root: string;
  readonly #spillFolder: string;
  readonly #tables = new Map<number, Promise<LogTable>>();
  readonly #open = new Map<number, LogTable>();
  readonly #filters = new FilterCache();
  readonly #backlog = new InsertBacklog();
  readonly #seals: SealInstance;
  readonly #maintenance: Maintenance;
  readonly #maintaining: Disposable;
  readonly #protection: Protection;
  readonly #runs: Runs;
  #instance: Promise<Instance> | undefined;

  constructor(deps: DuckdbEngineDeps) {
    this.#deps = deps;
    this.#days = new Days(deps.zone);
    this.#root = join(deps.dataFolder, 'tables');
    this.#spillFolder = join(deps.dataFolder, 'spill');
    this.#protection = new Protection({
      ...deps,
      memoryFolder: deps.memory.folder,
      cacheBytes: deps.memory.cacheBytes,
      memoryBytes: Math.floor(deps.limits.memoryBytes / 2),
    });
    const { clock, limits, memory, readsNameless = false } = deps;
    const spillFolder = this.#spillFolder;
    const memoryFolder = memory.folder;
    this.#seals = new SealInstance(spillFolder, { diskBytes: limits.diskBytes });
    this.#runs = new Runs({ clock, limits, spillFolder, memoryFolder, readsNameless });
    this.lookups = new LookupFolder({
      folder: join(deps.dataFolder, 'lookups'),
      spillFolder,
      instance: () => this.#engine(),
    });
    this.#maintenance = new Maintenance({
      store: deps.store,
      clock,
      days: this.#days,
      open: this.#open,
      table: (spec) => this.#table(spec),
      denseAfterDays: deps.denseAfterDays,
      rewriteAfterDays: deps.rewriteAfterDays,
      onRewritten: () => deps.onRewritten?.(),
      instances: new MergeInstances(this.#spillFolder),
      failed: (error) => deps.failed(error),
    });
    this.#maintaining = new Periodic({
      clock: deps.clock,
      period: deps.maintenancePeriod,
      during: 'join',
      work: () => this.maintain(),
    });
  }

  /** Opens the tables whose journals hold records, and removes files that a crash left, and folders of tables that are gone. */
  async recover(): Promise<void> {
    await makeFolder(this.#root);
    await rm(this.#spillFolder, { recursive: true, force: true });
    await mkdir(this.#spillFolder, { mode: 0o700 });
    const specs = new Map((await tableSpecs(this.#deps.store)).map((spec) => [folderOf(spec), spec]));
    const segments = await segmentFiles(this.#deps.store);
    for (const name of await readdir(this.#root)) {
      const folder = join(this.#root, name);
      const spec = specs.get(name);
      if (!spec) await rm(folder, { recursive: true, force: true });
      else if (await holdsRecords(folder)) await this.#reopen(spec);
      else await sweepFolder(folder, segments.get(spec.id) ?? []);
    }
  }

  /** A table that stays closed does not keep the service from starting: requests for it are refused. */
  async #reopen(spec: TableSpec): Promise<void> {
    try {
      await this.#table(spec);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#deps.unopened(spec.name, error);
    }
  }

  async append(spec: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number> {
    const { parts } = 'parts' in records ? records : { parts: [records] };
    return await (await this.#table(spec)).append(parts, offsets);
  }

  readonly insertTable = (db: Db, table: NewTable): Promise<number> => insertTable(db, table);

  removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
    return removeSourceOffsets(db, selection);
  }

  /** The catalog knows the figures of tables that are not open: they have no fresh records. */
  async stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>> {
    const closed = tableIds.filter((id) => !this.#open.has(id));
    const stats = await sealedStats(this.#deps.store, closed);
    for (const id of tableIds) {
      const table = this.#open.get(id);
      if (table) stats.set(id, table.stats);
    }
    return stats;
  }

  arrivedAt(tableId: number): number | undefined {
    return this.#open.get(tableId)?.arrivals.lastAt;
  }

  async totalBytes(): Promise<number> {
    const sealed = await sealedBytes(this.#deps.store);
    const uncounted = ({ freshBytes, filters }: LogTable) => freshBytes + filters.unrecordedBytes;
    return [...this.#open.values()].reduce((total, table) => total + uncounted(table), sealed);
  }

  readonly stage = async (spec: TableSpec): Promise<Staging> => (await this.#table(spec)).stage();
  readonly sourceOffsets = async (spec: TableSpec) => (await this.#table(spec)).offsets;
  readonly days = async (spec: TableSpec) => (await this.#table(spec)).days;
  readonly fileColumns = async (spec: TableSpec) => (await this.#table(spec)).fileColumns;

  readonly describe = async (spec: TableSpec): Promise<KnownTable> =>
    knownTable(spec.name, spec.layout, (await this.#table(spec)).learnt);

  async use(): Promise<EngineUse> {
    const { memoryBytes, diskBytes } = (await (await this.#instance)?.use()) ?? { memoryBytes: 0, diskBytes: 0 };
    return { memoryBytes, diskBytes, ...this.#runs.tasks };
  }

  async begin(deps: RunDeps): Promise<Run> {
    return await this.beginOver(deps, {
      tables: await this.tablesOfRun(deps.tables),
      stage: (spec) => this.stage(spec),
      append: (spec, records) => this.append(spec, records),
    });
  }

  /** A run whose tables may be in other locations, too. */
  async beginOver(deps: RunDeps, { tables, stage, append }: RunTables): Promise<Run> {
    const specOf = (table: string): TableSpec => {
      const spec = deps.tables.get(table);
      if (!spec) throw new Error(`the run has no table ${table}`);
      return spec;
    };
    return await this.#runs.begin(deps, {
      tables,
      shared: () => this.#engine(),
      lookupPath: (file) => this.lookups.path(file),
      secret: () => this.#protection.instance(),
      stage: async (table) => await stage(specOf(table)),
      append: async (table, records) => {
        await append(specOf(table), records);
      },
    });
  }

  async outline(deps: OutlineDeps): Promise<void> {
    await this.outlineOver(deps, await this.tablesOfOutline(deps.tables));
  }

  /** Of a run whose tables may be in other locations, too. */
  async outlineOver(deps: OutlineDeps, tables: RunTables['tables']): Promise<void> {
    await this.#runs.outline(deps, tables);
  }

  /** As `tablesOfRun`, of a run that reads nothing. */
  async tablesOfOutline(specs: ReadonlyMap<string, TableSpec>): Promise<RunTables['tables']> {
    const tables = await this.#openTables(specs);
    return async (context) => new (await import('./reads/run-tables.ts')).RunTables(tables, context);
  }

  /** Opens the tables of a run; what is given takes their snapshots. */
  async tablesOfRun(specs: ReadonlyMap<string, TableSpec>): Promise<RunTables['tables']> {
    const tables = await this.#openTables(specs);
    return async (context) => (await import('./reads/run-tables.ts')).openRunTables(tables, context);
  }

  async #openTables(specs: ReadonlyMap<string, TableSpec>): Promise<ReadonlyMap<string, LogTable>> {
    const tables = new Map<string, LogTable>();
    for (const [name, spec] of specs) tables.set(name, await this.#table(spec));
    return tables;
  }

  readonly locationOf = async () => 'embedded' as const;

  async removeDays(spec: TableSpec, from: string, to: string): Promise<void> {
    await (await this.#table(spec)).removeSegments(({ day }) => day >= from && day <= to);
  }

  async drop(spec: TableSpec): Promise<void> {
    const opened = this.#tables.get(spec.id);
    this.#tables.delete(spec.id);
    this.#open.delete(spec.id);
    if (opened) await (await opened).drop();
    else await rm(join(this.#root, folderOf(spec)), { recursive: true, force: true });
  }

  readonly requireMemoryFolder = (): void => this.#protection.requireMemoryFolder();

  /** DuckDB is asked once it has been needed; until then the engine is the folder that it keeps its tables in. */
  async check(): Promise<void> {
    await access(this.#root, constants.R_OK | constants.W_OK);
    await (await this.#instance)?.run('select 1');
  }

  async close(): Promise<void> {
    this.#maintaining[Symbol.dispose]();
    await this.#maintenance.close();
    const { clock, failed } = this.#deps;
    await sealAtStop([...this.#open.values()], { clock, failed, interrupt: () => this.#interrupt() });
    for (const table of this.#open.values()) await table.close();
    await Promise.all([this.#protection.close(), this.#runs.close(), this.#seals.close()]);
    await (await this.#instance)?.close();
  }

  /** Running seals fail; queries have ended before. */
  async #interrupt(): Promise<void> {
    (await this.#instance)?.interrupt();
    await this.#seals.interrupt();
  }

  /** Days of tables in an earlier form, as they were counted in the last round. */
  get daysToRewrite(): number {
    return this.#maintenance.daysToRewrite;
  }

  readonly maintain = (): Promise<void> => this.#maintenance.run();

  #engine(): Promise<Instance> {
    this.#instance ??= this.#runs.openShared();
    return this.#instance;
  }

  /** Opens it where it is not. */
  readonly table = (spec: TableSpec): Promise<LogTable> => this.#table(spec);

  #table(spec: TableSpec): Promise<LogTable> {
    const known = this.#tables.get(spec.id);
    if (known) return known;
    const opening = this.#openTable(spec).catch((error) => {
      this.#tables.delete(spec.id);
      throw error;
    });
    this.#tables.set(spec.id, opening);
    return opening;
  }

  async #openTable(spec: TableSpec): Promise<LogTable> {
    const { store } = this.#deps;
    const catalog = await readCatalog(store, spec.id);
    if (!catalog) throw new TableGone(spec.name);
    const folder = join(this.#root, folderOf(spec));
    const storage = await this.#protection.storageFor(spec, catalog, { folder, plainInstance: () => this.#engine() });
    // With the first table that is used: a start that finds no fresh records is the quicker for it.
    const { LogTable } = await import('./storage/table.ts');
    const deps: TableDeps = {
      ...this.#deps,
      storage,
      folder,
      backlog: this.#backlog,
      days: this.#days,
      filters: this.#filters,
      seals: this.#seals,
      writeIndexBytes: (bytes) => writeIndexBytes(store, spec.id, bytes),
      switchCatalog: (change, alongside) => switchCatalog(store, spec.id, change, alongside),
      reportCorruption: (file) => this.#protection.reportCorruption(spec, { folder, file }),
    };
    const table = await LogTable.open(spec, deps, catalog);
    this.#open.set(spec.id, table);
    return table;
  }
}
