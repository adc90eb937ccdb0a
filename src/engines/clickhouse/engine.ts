// The log engine on ClickHouse: it stores and scans, and the embedded engine finishes the rows of queries. The catalog in the
// metadata store says which records are visible.

import { noCryptoProfiles } from '#contract/errors.ts';
import type { PlacesOfRun } from '#engines/duckdb/engine-deps.ts';
import { insertTable } from '#engines/duckdb/storage/catalog.ts';
import { knownTable } from '#engines/duckdb/storage/known-table.ts';
import type {
  LogEngine,
  NewRecords,
  NewTable,
  SourceOffset,
  SourceSelection,
  Staging,
  TableSpec,
  TableStats,
} from '#engines/engine.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import { ClickhouseRunTables } from './reads/run-tables.ts';
import type { StatementLimits } from './reads/shard-statements.ts';
import { AccountMemory } from './server/account-memory.ts';
import type { ClickhouseClient } from './server/client.ts';
import { answered } from './server/failures.ts';
import { ArrivalClock } from './storage/arrival-clock.ts';
import { abandonUploads, hiddenRows, newTableRow } from './storage/catalog.ts';
import { withCatalog } from './storage/catalog-schema.ts';
import { Figures } from './storage/figures.ts';
import { removeSourceOffsets } from './storage/offsets.ts';
import type { Reading } from './storage/readers.ts';
import { Shards } from './storage/shards.ts';
import type { ClickhouseTable } from './storage/table.ts';
import { type AddedShard, Tables } from './storage/tables.ts';

interface ClickhouseEngineDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  /** Of the part of queries that ClickHouse does. */
  readonly statements: StatementLimits;
  /** Of all statements of an account on one server. */
  readonly statementMemoryBytes: number;
  /** One for each shard; the engine closes them. */
  readonly clients: readonly ClickhouseClient[];
  /** A server that was added to the cluster of these; absent where there is no cluster. */
  readonly addedShard?: (present: readonly ClickhouseClient[]) => Promise<AddedShard | undefined>;
  /** How long the first batch of an insert waits for others. */
  readonly groupFor: Temporal.Duration;
  readonly maintenancePeriod: Temporal.Duration;
  /** Of the node that takes records in. */
  readonly node: string;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
}

/** Runs are those of the engine beside it. */
type EngineOfTables = Omit<LogEngine, 'begin' | 'outline' | 'lookups' | 'use' | 'requireMemoryFolder'>;

export async function openClickhouseEngine(deps: ClickhouseEngineDeps): Promise<ClickhouseEngine> {
  const engine = new ClickhouseEngine(deps, await ArrivalClock.open(deps.store));
  await engine.recover();
  return engine;
}

export class ClickhouseEngine implements EngineOfTables {
  readonly #deps: ClickhouseEngineDeps;
  readonly #arrivalClock: ArrivalClock;
  readonly #shards: Shards;
  readonly #figures: Figures;
  readonly #tables: Tables;
  readonly #accountMemory: AccountMemory;
  readonly #maintaining: Disposable;

  constructor(deps: ClickhouseEngineDeps, arrivalClock: ArrivalClock) {
    this.#deps = deps;
    this.#arrivalClock = arrivalClock;
    this.#accountMemory = new AccountMemory(deps.statementMemoryBytes);
    this.#shards = new Shards(deps.clients);
    const { store, clock } = deps;
    this.#figures = new Figures({ store, shards: this.#shards, clock: systemClock });
    this.#tables = new Tables({ ...deps, arrivalClock, shards: this.#shards, figures: this.#figures });
    this.#maintaining = clock.every(deps.maintenancePeriod, () => void this.maintain());
  }

  /** Uploads of an earlier process are abandoned; a server that does not answer keeps their records hidden meanwhile. */
  async recover(): Promise<void> {
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

  readonly placeOf = async () => 'clickhouse' as const;

  /** Opens the tables of a run; what is given begins to read them. Those of an outline need no account: no statement is sent for them. */
  async tablesOfRun(specs: ReadonlyMap<string, TableSpec>, account = ''): Promise<PlacesOfRun['tables']> {
    const tables = new Map<string, ClickhouseTable>();
    for (const [name, spec] of specs) tables.set(name, await this.#tables.open(spec));
    const { clock, store, statements } = this.#deps;
    return async (place) => {
      // Before the tables: they are spread over all of these by then.
      const shards = this.#shards.bounded(() => this.#accountMemory.take(account, place.signal));
      for (const table of tables.values()) await answered(table.spread());
      using begun = new DisposableStack();
      const readings = new Map<string, Reading>();
      for (const [name, { readers }] of tables) readings.set(name, begun.use(readers.begin(clock.now())));
      // In this order: all records of uploads that are visible have arrived by then.
      const hidden = await hiddenRows(
        store,
        [...tables.values()].map(({ spec }) => spec.id),
      );
      const until = this.#arrivalClock.next();
      const made = { tables, hidden, until, place, limits: statements, shards, readings };
      const tablesOfRun = new ClickhouseRunTables(made);
      begun.move();
      return tablesOfRun;
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

  async check(): Promise<void> {
    await answered(this.#shards.each((client) => client.rows('select 1')));
  }

  async close(): Promise<void> {
    this.#maintaining[Symbol.dispose]();
    await this.#tables.close();
    await this.#shards.close();
  }
}
