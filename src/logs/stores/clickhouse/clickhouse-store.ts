// The log engine on ClickHouse: it stores and scans, and the embedded engine finishes the rows of queries. The catalog in the
// metadata store says which records are visible.

import type { Cluster } from '#cluster/cluster.ts';
import { noCryptoProfiles } from '#contract/errors.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import {
  type NewRecords,
  type NewTable,
  type RecordStore,
  type SourceOffset,
  type SourceSelection,
  type Staging,
  TableGone,
  type TableSpec,
  type TableStats,
  type TimeRange,
} from '#logs/log-store.ts';
import type { RunTables } from '#logs/stores/embedded/embedded-store.ts';
import { insertTable } from '#logs/stores/embedded/storage/catalog.ts';
import { knownTable } from '#logs/stores/shared/known-table.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { Periodic } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';
import { MovingTables } from './moving-tables.ts';
import { type DistantArrivals, listenTo } from './reads/arrived-rows.ts';
import { ClickhouseRunTables, type ReadTable } from './reads/run-tables.ts';
import type { Rest, StatementLimits } from './reads/shard-statements.ts';
import { AccountMemory } from './server/account-memory.ts';
import type { ClickhouseClient } from './server/client.ts';
import { answered } from './server/failures.ts';
import { ArrivalClock } from './storage/arrival-clock.ts';
import { type ArrivalNews, NO_NEWS, NodeArrivals } from './storage/arrival-news.ts';
import { type HiddenRows, hiddenRows, newTableRow } from './storage/catalog.ts';
import { withCatalog } from './storage/catalog-schema.ts';
import type { DayWrites } from './storage/day-writes.ts';
import { Figures } from './storage/figures.ts';
import { removeSourceOffsets } from './storage/offsets.ts';
import type { Reading } from './storage/readers.ts';
import { wasCutShort } from './storage/removals.ts';
import type { AddShard } from './storage/shard-growth.ts';
import { Shards } from './storage/shards.ts';
import type { ClickhouseTable, TableDeps } from './storage/table.ts';
import { Tables } from './storage/tables.ts';
import { abandonUploadsOf } from './storage/upload-catalog.ts';
import { hidesSome, visibleCondition } from './storage/visibility.ts';

interface ClickhouseEngineDeps extends Pick<TableDeps, 'registryOf' | 'renewedRegistry'> {
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
  readonly addedShard?: AddShard;
  /** How long the first batch of an insert waits for others. */
  readonly groupFor: Temporal.Duration;
  /** How long the end of an upload that is not committed waits for its records to be deleted; they are hidden at once. */
  readonly abandonFor: Temporal.Duration;
  readonly maintenancePeriod: Temporal.Duration;
  /** Its node takes records in. */
  readonly cluster: Cluster;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
}

export async function openClickhouseEngine(deps: ClickhouseEngineDeps): Promise<ClickhouseStore> {
  const engine = new ClickhouseStore(deps);
  await engine.recover();
  return engine;
}

export class ClickhouseStore implements RecordStore {
  readonly #deps: ClickhouseEngineDeps;
  readonly #arrivalClock: ArrivalClock;
  readonly #arrivalNews: ArrivalNews;
  readonly #shards: Shards;
  readonly #figures: Figures;
  readonly #tables: Tables;
  /** Tables that leave for another location, or come from one. */
  readonly moving: MovingTables;
  readonly #accountMemory: AccountMemory;
  readonly #maintaining: Disposable;

  constructor(deps: ClickhouseEngineDeps) {
    this.#deps = deps;
    const { store, clock, cluster } = deps;
    const arrivalClock = new ArrivalClock(store, cluster);
    this.#arrivalClock = arrivalClock;
    this.#accountMemory = new AccountMemory(deps.statementMemoryBytes);
    this.#shards = new Shards(deps.clients);
    this.#figures = new Figures({ store, shards: this.#shards, clock: systemClock });
    this.#arrivalNews = cluster.form<ArrivalNews>({
      alone: () => NO_NEWS,
      shared: () => new NodeArrivals({ clock, cluster }),
    });
    this.#tables = new Tables({
      ...deps,
      arrivalClock,
      arrivalNews: this.#arrivalNews,
      shards: this.#shards,
      figures: this.#figures,
    });
    const { statements: limits } = deps;
    this.moving = new MovingTables({
      store,
      arrivalClock,
      limits,
      node: cluster.self,
      shards: this.#shards,
      figures: this.#figures,
      tables: this.#tables,
      zone: deps.zone,
      now: () => clock.now(),
    });
    this.#maintaining = new Periodic({
      clock,
      period: deps.maintenancePeriod,
      during: 'join',
      work: () => this.maintain(),
    });
  }

  /** Uploads of an earlier process of this node are abandoned; a server that does not answer keeps their records hidden meanwhile. */
  async recover(): Promise<void> {
    await abandonUploadsOf(this.#deps.store, this.#deps.cluster.self);
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
    await this.#tables.refresh();
    // ClickHouse groups and sums doubles itself; told apart, every row of them would come to the node.
    return knownTable(spec.name, spec.layout, (await this.#tables.open(spec)).learnt, { isOneKind: true });
  }

  readonly locationOf = async () => 'clickhouse' as const;

  /** Opens the tables of a run; what is given begins to read them. Those of an outline need no account: no statement is sent for them. */
  async tablesOfRun(specs: ReadonlyMap<string, TableSpec>, account = ''): Promise<RunTables['tables']> {
    const tables = new Map<string, ClickhouseTable>();
    for (const [name, spec] of specs) tables.set(name, await this.#tables.open(spec));
    const { clock, store, statements } = this.#deps;
    return async (context) => {
      await this.#tables.refresh();
      // Before the tables: they are spread over all of these by then.
      const shards = this.#shards.bounded(() => this.#accountMemory.take(account, context.signal));
      for (const table of tables.values()) await answered(table.spread());
      using begun = new DisposableStack();
      const readings = new Map<string, Reading>();
      for (const [name, { readers }] of tables) readings.set(name, begun.use(readers.begin(clock.now())));
      const marks = new Map([...tables.values()].map(({ spec, writes }) => [spec.id, writes.mark]));
      // In this order: all records of uploads that are visible have arrived by then.
      const hidden = await hiddenRows(
        store,
        [...tables.values()].map(({ spec }) => spec.id),
      );
      const until = await this.#arrivalClock.next();
      const distant = { news: this.#arrivalNews, refresh: () => this.#tables.refresh() };
      const facts = { store, cluster: this.#deps.cluster, hidden, marks, until, distant };
      const read = new Map(
        [...readings].map(([name, reading]) => [name, readTable(tables.get(name), { name, reading }, facts)]),
      );
      const tablesOfRun = new ClickhouseRunTables({ tables: read, context, limits: statements, shards });
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
    this.#arrivalNews[Symbol.dispose]();
    await this.#tables.close();
    await this.#shards.close();
  }
}

/** Undefined where some of it is being written, or was since the run began. */
function restOf(writes: DayWrites, range: TimeRange, mark: number): Rest | undefined {
  const isUnbroken = () => writes.isUnwritten(range, mark);
  return writes.isAtRest(range) && isUnbroken() ? { isUnbroken } : undefined;
}

interface RunFacts {
  readonly store: Store;
  readonly cluster: Cluster;
  /** Of tables by their ids. */
  readonly hidden: ReadonlyMap<number, HiddenRows>;
  /** Of what was written into these tables before. */
  readonly marks: ReadonlyMap<number, number>;
  /** The last arrival that the run sees. */
  readonly until: number;
  readonly distant: DistantArrivals;
}

function readTable(
  table: ClickhouseTable | undefined,
  { name, reading }: { readonly name: string; readonly reading: Reading },
  { store, cluster, hidden: all, marks, until, distant }: RunFacts,
): ReadTable {
  const hidden = table && all.get(table.spec.id);
  if (!hidden) throw new TableGone(name);
  const { spec, columns } = table;
  return {
    spec,
    columns,
    reading,
    where: visibleCondition(hidden, until),
    atRest: (range) => (hidesSome(hidden) ? undefined : restOf(table.writes, range, marks.get(spec.id) ?? 0)),
    // Other nodes wait for runs of this one, unless they take it for dead.
    isCutShort: () => cluster.latest(false, () => wasCutShort(store, spec.id, hidden.carriedOut)),
    listen: (statements, listener) => listenTo({ table, statements, distant, hidden, until }, listener),
  };
}
