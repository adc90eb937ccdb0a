// The log engine of a service that has records in two locations: new tables are made on ClickHouse, embedded ones stay where they are
// until they are moved. What concerns a table goes to the engine that has it, and a run reads tables of both.

import type {
  DayStats,
  EngineUse,
  Location,
  LogStore,
  NewRecords,
  NewTable,
  SourceOffset,
  SourceSelection,
  Staging,
  TableSpec,
  TableStats,
} from '#logs/log-store.ts';
import type { LookupFiles } from '#logs/lookup-files.ts';
import type { OutlineDeps, Run, RunDeps } from '#logs/run.ts';
import type { RunContext, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ClickhouseStore } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { furthest } from '#logs/stores/shared/source-offsets.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { addedDays, addedStats } from './added-figures.ts';
import { heldIn, Locations } from './locations.ts';
import { Moves, type MovesDeps } from './moves.ts';
import { RunsOfStores } from './runs-of-stores.ts';
import type { SharedColumns } from './shared-columns.ts';
import { TableLocks } from './table-locks.ts';
import { Writers, watched } from './writers.ts';

interface BothStoresDeps extends Pick<MovesDeps, 'store' | 'clock' | 'spillFolder' | 'failed'> {
  /** Finishes the rows of all runs. */
  readonly embedded: EmbeddedStore;
  readonly clickhouse: ClickhouseStore;
  /** Of the tables of both. */
  readonly columns: SharedColumns;
}

export class BothStores implements LogStore {
  readonly #deps: BothStoresDeps;
  readonly #locations: Locations;
  readonly #writers = new Writers();
  readonly #locks = new TableLocks();
  readonly #runs: RunsOfStores;
  readonly moves: Moves;

  constructor(deps: BothStoresDeps) {
    this.#deps = deps;
    this.#locations = new Locations(deps.store);
    const locations = this.#locations;
    const locks = this.#locks;
    const writers = this.#writers;
    this.#runs = new RunsOfStores({ ...deps, locations, locks });
    this.moves = new Moves({ ...deps, locations, locks, writers, runs: this.#runs });
  }

  get lookups(): LookupFiles {
    return this.#deps.embedded.lookups;
  }

  insertTable(db: Db, table: NewTable): Promise<number> {
    return this.#deps.clickhouse.insertTable(db, table);
  }

  async append(spec: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number> {
    await this.#locations.load([spec.id]);
    const location = this.#locations.now(spec.id).writesTo;
    using _present = this.#writers.enter({ tableId: spec.id, location, kind: 'append' });
    return await this.#deps[location].append(spec, records, offsets);
  }

  async sourceOffsets(spec: TableSpec): Promise<ReadonlyMap<string, number>> {
    const all: ReadonlyMap<string, number>[] = [];
    for (const location of await this.#locationsOf(spec)) all.push(await this.#deps[location].sourceOffsets(spec));
    return furthest(all);
  }

  async removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
    for (const engine of this.#both) await engine.removeSourceOffsets(db, selection);
  }

  async locationOf(spec: TableSpec): Promise<Location | 'both'> {
    const [location, other] = await this.#locationsOf(spec);
    return other || !location ? 'both' : location;
  }

  async stage(spec: TableSpec): Promise<Staging> {
    await this.#locations.load([spec.id]);
    const location = this.#locations.now(spec.id).writesTo;
    const present = this.#writers.enter({ tableId: spec.id, location, kind: 'upload' });
    try {
      return watched(await this.#deps[location].stage(spec), present);
    } catch (error) {
      present[Symbol.dispose]();
      throw error;
    }
  }

  async stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>> {
    await this.#locations.load(tableIds);
    const split = tableIds.filter((id) => this.#locations.now(id).isSplit);
    using _held = await this.#locks.share(split);
    const locations = tableIds.map((id) => [id, heldIn(this.#locations.now(id))] as const);
    const all: ReadonlyMap<number, TableStats>[] = [];
    for (const location of ['embedded', 'clickhouse'] as const) {
      const ids = locations.filter(([, held]) => held.includes(location)).map(([id]) => id);
      if (ids.length > 0) all.push(await this.#deps[location].stats(ids));
    }
    return addedStats(all);
  }

  async days(spec: TableSpec): Promise<ReadonlyMap<string, DayStats>> {
    await this.#locations.load([spec.id]);
    using _held = await this.#locks.share([spec.id]);
    const all: ReadonlyMap<string, DayStats>[] = [];
    for (const location of heldIn(this.#locations.now(spec.id))) all.push(await this.#deps[location].days(spec));
    return addedDays(all);
  }

  arrivedAt(tableId: number): number | undefined {
    const moments = this.#both.flatMap((engine) => engine.arrivedAt(tableId) ?? []);
    return moments.length === 0 ? undefined : Math.max(...moments);
  }

  async totalBytes(): Promise<number> {
    let total = 0;
    for (const engine of this.#both) total += await engine.totalBytes();
    return total;
  }

  /** No day is switched meanwhile: it would be found in neither location. */
  async removeDays(spec: TableSpec, from: string, to: string): Promise<void> {
    await this.#locations.load([spec.id]);
    using _held = await this.#locks.share([spec.id]);
    for (const location of heldIn(this.#locations.now(spec.id)).toSorted().toReversed())
      await this.#deps[location].removeDays(spec, from, to);
  }

  /** A table that was moved has left an empty folder. */
  async drop(spec: TableSpec): Promise<void> {
    await this.moves.drop(spec);
    const isOutside = (await this.#locationsOf(spec)).includes('clickhouse');
    await this.#deps.embedded.drop(spec);
    if (isOutside) await this.#deps.clickhouse.drop(spec);
    this.#deps.columns.forget(spec.id);
  }

  async maintain(): Promise<void> {
    for (const engine of this.#both) await engine.maintain();
  }

  requireMemoryFolder(): void {
    this.#deps.embedded.requireMemoryFolder();
  }

  /** All runs are those of the embedded engine. */
  use(): Promise<EngineUse> {
    return this.#deps.embedded.use();
  }

  async check(): Promise<void> {
    for (const engine of this.#both) await engine.check();
  }

  async fileColumns(spec: TableSpec) {
    return await (await this.#written(spec)).fileColumns(spec);
  }

  async describe(spec: TableSpec): Promise<KnownTable> {
    return await (await this.#written(spec)).describe(spec);
  }

  async begin(deps: RunDeps): Promise<Run> {
    return await this.#deps.embedded.beginOver(deps, {
      stage: (spec) => this.stage(spec),
      append: (spec, records) => this.append(spec, records),
      tables: (context: RunContext): Promise<TablesOfRun> => this.#runs.open(deps, context),
    });
  }

  async outline(deps: OutlineDeps): Promise<void> {
    await this.#deps.embedded.outlineOver(deps, (context) => this.#runs.outline(deps.tables, context));
  }

  async close(): Promise<void> {
    const stopped = this.moves.stop();
    await this.#deps.clickhouse.close();
    await stopped;
    await this.#deps.embedded.close();
  }

  async #locationsOf({ id }: TableSpec): Promise<readonly Location[]> {
    await this.#locations.load([id]);
    return heldIn(this.#locations.now(id));
  }

  async #written({ id }: TableSpec): Promise<EmbeddedStore | ClickhouseStore> {
    await this.#locations.load([id]);
    return this.#deps[this.#locations.now(id).writesTo];
  }

  get #both(): readonly (EmbeddedStore | ClickhouseStore)[] {
    return [this.#deps.embedded, this.#deps.clickhouse];
  }
}
