// The log engine on ClickHouse: it stores and scans, and DuckDB in this process finishes the rows of a query. The catalog in the
// metadata store says which records are visible.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noCryptoProfiles } from '#contract/errors.ts';
import type { Instance } from '#engines/duckdb/instance/instance.ts';
import { type EngineLimits, Runs } from '#engines/duckdb/runs/runs.ts';
import type { RunPlace } from '#engines/duckdb/runs/tables-of-run.ts';
import { insertTable } from '#engines/duckdb/storage/catalog.ts';
import { knownTable } from '#engines/duckdb/storage/known-table.ts';
import { LookupFolder } from '#engines/duckdb/storage/lookup-files.ts';
import type {
  EngineUse,
  LogEngine,
  NewRecords,
  NewTable,
  SourceOffset,
  SourceSelection,
  Staging,
  TableSpec,
  TableStats,
} from '#engines/engine.ts';
import type { OutlineDeps, PlanRun, RunDeps } from '#engines/plan-run.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import { ClickhouseRunTables, type StatementLimits } from './reads/run-tables.ts';
import { AccountMemory } from './server/account-memory.ts';
import type { ClickhouseClient } from './server/client.ts';
import { answered } from './server/failures.ts';
import { ArrivalClock } from './storage/arrival-clock.ts';
import { abandonUploads, hiddenRows, newTableRow } from './storage/catalog.ts';
import { withCatalog } from './storage/catalog-schema.ts';
import { Figures } from './storage/figures.ts';
import { removeSourceOffsets } from './storage/offsets.ts';
import { Shards } from './storage/shards.ts';
import type { ClickhouseTable } from './storage/table.ts';
import { Tables } from './storage/tables.ts';

interface ClickhouseEngineDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  /** For rows on their way, and for lookups. */
  readonly dataFolder: string;
  readonly memoryFolder: string;
  /** Of the part of queries that DuckDB does. */
  readonly limits: EngineLimits;
  /** Of the part that ClickHouse does. */
  readonly statements: StatementLimits;
  /** Of all statements of an account on one server. */
  readonly statementMemoryBytes: number;
  /** One for each shard; the engine closes them. */
  readonly clients: readonly ClickhouseClient[];
  /** How long the first batch of an insert waits for others. */
  readonly groupFor: Temporal.Duration;
  readonly maintenancePeriod: Temporal.Duration;
  /** Of the node that takes records in. */
  readonly node: string;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
}

export async function openClickhouseEngine(deps: ClickhouseEngineDeps): Promise<LogEngine> {
  const engine = new ClickhouseEngine(deps, await ArrivalClock.open(deps.store));
  await engine.recover();
  return engine;
}

class ClickhouseEngine implements LogEngine {
  readonly lookups: LookupFolder;
  readonly #deps: ClickhouseEngineDeps;
  readonly #arrivalClock: ArrivalClock;
  readonly #shards: Shards;
  readonly #figures: Figures;
  readonly #runs: Runs;
  readonly #tables: Tables;
  readonly #accountMemory: AccountMemory;
  readonly #maintaining: Disposable;
  #instance: Promise<Instance> | undefined;

  constructor(deps: ClickhouseEngineDeps, arrivalClock: ArrivalClock) {
    this.#deps = deps;
    this.#arrivalClock = arrivalClock;
    this.#accountMemory = new AccountMemory(deps.statementMemoryBytes);
    this.#shards = new Shards(deps.clients);
    const { store, clock, limits, memoryFolder } = deps;
    this.#figures = new Figures({ store, shards: this.#shards, clock: systemClock });
    this.#tables = new Tables({ ...deps, arrivalClock, shards: this.#shards, figures: this.#figures });
    this.#runs = new Runs({ clock, limits, spillFolder: this.#spillFolder, memoryFolder, readsNameless: true });
    this.lookups = new LookupFolder({
      folder: join(deps.dataFolder, 'lookups'),
      spillFolder: this.#spillFolder,
      instance: () => this.#shared(),
    });
    this.#maintaining = clock.every(deps.maintenancePeriod, () => void this.maintain());
  }

  /** Uploads of an earlier process are abandoned; a server that does not answer keeps their records hidden meanwhile. */
  async recover(): Promise<void> {
    await rm(this.#spillFolder, { recursive: true, force: true });
    await mkdir(this.#spillFolder, { mode: 0o700, recursive: true });
    await abandonUploads(this.#deps.store);
    await this.maintain();
  }

  async append(spec: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number> {
    const { parts } = 'parts' in records ? records : { parts: [records] };
    return await (await this.#tables.open(spec)).append(parts, offsets);
  }

  async sourceOffsets(spec: TableSpec): Promise<ReadonlyMap<string, number>> {
    return await (await this.#tables.open(spec)).offsets();
  }

  async stage(spec: TableSpec): Promise<Staging> {
    return (await this.#tables.open(spec)).stage();
  }

  async insertTable(db: Db, table: NewTable): Promise<number> {
    if (table.crypto_profile_guid) throw noCryptoProfiles(table.name);
    const id = await insertTable(db, table);
    await withCatalog(db).insertInto('clickhouse_tables').values(newTableRow(id)).execute();
    return id;
  }

  removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
    return removeSourceOffsets(db, selection);
  }

  async stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>> {
    const found = await this.#deps.store.read((db) =>
      inChunks(tableIds, (some) =>
        db
          .selectFrom('log_tables')
          .select('id')
          .where('id', 'in', [...some])
          .execute(),
      ),
    );
    return await answered(this.#figures.stats(found.map(({ id }) => id)));
  }

  arrivedAt(tableId: number): number | undefined {
    return this.#tables.opened(tableId)?.arrivals.lastAt;
  }

  totalBytes(): Promise<number> {
    return answered(this.#figures.totalBytes());
  }

  async days(spec: TableSpec) {
    return await answered(this.#figures.days(spec.id));
  }

  /** Records become rows of inserts, never files. */
  async fileColumns(): Promise<undefined> {}

  async describe(spec: TableSpec): Promise<KnownTable> {
    return knownTable(spec.name, spec.layout, (await this.#tables.open(spec)).learnt);
  }

  async use(): Promise<EngineUse> {
    const { memoryBytes, diskBytes } = (await (await this.#instance)?.use()) ?? { memoryBytes: 0, diskBytes: 0 };
    return { memoryBytes, diskBytes, ...this.#runs.tasks };
  }

  async begin(deps: RunDeps): Promise<PlanRun> {
    return await this.#runs.begin(deps, {
      tables: await this.#tablesOf(deps, deps.account),
      shared: () => this.#shared(),
      secret: () => Promise.reject(new Error('no table on ClickHouse is encrypted')),
      lookupPath: (file) => this.lookups.path(file),
      stage: async (table) => {
        const spec = deps.tables.get(table);
        if (!spec) throw new Error(`the run has no table ${table}`);
        return await this.stage(spec);
      },
    });
  }

  async outline(deps: OutlineDeps): Promise<void> {
    await this.#runs.outline(deps, await this.#tablesOf(deps));
  }

  /** Opens the tables of a run; those of an outline have no account, because no statement is sent for them. */
  async #tablesOf(
    deps: Pick<RunDeps, 'tables'>,
    account = '',
  ): Promise<(place: RunPlace) => Promise<ClickhouseRunTables>> {
    const tables = new Map<string, ClickhouseTable>();
    for (const [name, spec] of deps.tables) tables.set(name, await this.#tables.open(spec));
    const { clock, store, statements } = this.#deps;
    return async (place) => {
      using reading = new DisposableStack();
      for (const { readers } of tables.values()) reading.use(readers.begin(clock.now()));
      // In this order: all records of uploads that are visible have arrived by then.
      const hidden = await hiddenRows(
        store,
        [...tables.values()].map(({ spec }) => spec.id),
      );
      const until = this.#arrivalClock.next();
      const shards = this.#shards.bounded(() => this.#accountMemory.take(account, place.signal));
      const made = { tables, hidden, until, place, limits: statements, shards };
      return new ClickhouseRunTables({ ...made, reading: reading.move() });
    };
  }

  async removeDays(spec: TableSpec, from: string, to: string): Promise<void> {
    await this.#tables.removeDays(spec, (day) => day >= from && day <= to);
  }

  async drop(spec: TableSpec): Promise<void> {
    await this.#tables.drop(spec.id).catch((error) => this.#deps.failed(error));
  }

  maintain(): Promise<void> {
    return this.#tables.maintain();
  }

  /** Tables of crypto profiles are refused with their row. */
  requireMemoryFolder(): void {}

  async check(): Promise<void> {
    await answered(this.#shards.each((client) => client.rows('select 1')));
  }

  async close(): Promise<void> {
    this.#maintaining[Symbol.dispose]();
    await this.#tables.close();
    await this.#runs.close();
    (await this.#instance)?.close();
    await this.#shards.close();
  }

  #shared(): Promise<Instance> {
    this.#instance ??= this.#runs.openShared();
    return this.#instance;
  }

  get #spillFolder(): string {
    return join(this.#deps.dataFolder, 'spill');
  }
}
