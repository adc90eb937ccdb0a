// The log engine of a service that has records in two places: new tables are made on ClickHouse, embedded ones stay where they are
// until they are moved. What concerns a table goes to the engine that has it, and a run reads tables of both.

import type {
  DayStats,
  EngineUse,
  LogStore,
  NewRecords,
  NewTable,
  Place,
  SourceOffset,
  SourceSelection,
  Staging,
  TableSpec,
  TableStats,
} from '#logs/log-store.ts';
import type { LookupFiles } from '#logs/lookup-files.ts';
import type { OutlineDeps, Run, RunDeps } from '#logs/run.ts';
import type { RunPlace, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ClickhouseStore } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { furthest } from '#logs/stores/shared/source-offsets.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import { addedDays, addedStats } from './added-figures.ts';
import { Moves, type MovesDeps } from './moves.ts';
import { heldIn, Places } from './places.ts';
import { RunsOfPlaces } from './runs-of-places.ts';
import type { SharedColumns } from './shared-columns.ts';
import { TableLocks } from './table-locks.ts';
import { Writers, watched } from './writers.ts';

interface PlacedEngineDeps extends Pick<MovesDeps, 'store' | 'clock' | 'spillFolder' | 'failed'> {
  /** Finishes the rows of all runs. */
  readonly embedded: EmbeddedStore;
  readonly clickhouse: ClickhouseStore;
  /** Of the tables of both. */
  readonly columns: SharedColumns;
}

export class BothStores implements LogStore {
  readonly #deps: PlacedEngineDeps;
  readonly #places: Places;
  readonly #writers = new Writers();
  readonly #locks = new TableLocks();
  readonly #runs: RunsOfPlaces;
  readonly moves: Moves;

  constructor(deps: PlacedEngineDeps) {
    this.#deps = deps;
    this.#places = new Places(deps.store);
    const places = this.#places;
    const locks = this.#locks;
    const writers = this.#writers;
    this.#runs = new RunsOfPlaces({ ...deps, places, locks });
    this.moves = new Moves({ ...deps, places, locks, writers, runs: this.#runs });
  }

  get lookups(): LookupFiles {
    return this.#deps.embedded.lookups;
  }

  insertTable(db: Db, table: NewTable): Promise<number> {
    return this.#deps.clickhouse.insertTable(db, table);
  }

  async append(spec: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number> {
    await this.#places.load([spec.id]);
    const place = this.#places.now(spec.id).writesTo;
    using _present = this.#writers.enter({ tableId: spec.id, place, kind: 'append' });
    return await this.#deps[place].append(spec, records, offsets);
  }

  async sourceOffsets(spec: TableSpec): Promise<ReadonlyMap<string, number>> {
    const all: ReadonlyMap<string, number>[] = [];
    for (const place of await this.#placesOf(spec)) all.push(await this.#deps[place].sourceOffsets(spec));
    return furthest(all);
  }

  async removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
    for (const engine of this.#both) await engine.removeSourceOffsets(db, selection);
  }

  async placeOf(spec: TableSpec): Promise<Place | 'both'> {
    const [place, other] = await this.#placesOf(spec);
    return other || !place ? 'both' : place;
  }

  async stage(spec: TableSpec): Promise<Staging> {
    await this.#places.load([spec.id]);
    const place = this.#places.now(spec.id).writesTo;
    const present = this.#writers.enter({ tableId: spec.id, place, kind: 'upload' });
    try {
      return watched(await this.#deps[place].stage(spec), present);
    } catch (error) {
      present[Symbol.dispose]();
      throw error;
    }
  }

  async stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>> {
    await this.#places.load(tableIds);
    const split = tableIds.filter((id) => this.#places.now(id).isSplit);
    using _held = await this.#locks.share(split);
    const places = tableIds.map((id) => [id, heldIn(this.#places.now(id))] as const);
    const all: ReadonlyMap<number, TableStats>[] = [];
    for (const place of ['embedded', 'clickhouse'] as const) {
      const ids = places.filter(([, held]) => held.includes(place)).map(([id]) => id);
      if (ids.length > 0) all.push(await this.#deps[place].stats(ids));
    }
    return addedStats(all);
  }

  async days(spec: TableSpec): Promise<ReadonlyMap<string, DayStats>> {
    await this.#places.load([spec.id]);
    using _held = await this.#locks.share([spec.id]);
    const all: ReadonlyMap<string, DayStats>[] = [];
    for (const place of heldIn(this.#places.now(spec.id))) all.push(await this.#deps[place].days(spec));
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

  /** No day is switched meanwhile: it would be found in neither place. */
  async removeDays(spec: TableSpec, from: string, to: string): Promise<void> {
    await this.#places.load([spec.id]);
    using _held = await this.#locks.share([spec.id]);
    for (const place of heldIn(this.#places.now(spec.id)).toSorted().toReversed())
      await this.#deps[place].removeDays(spec, from, to);
  }

  /** A table that was moved has left an empty folder. */
  async drop(spec: TableSpec): Promise<void> {
    await this.moves.drop(spec);
    const isOutside = (await this.#placesOf(spec)).includes('clickhouse');
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
      tables: (place: RunPlace): Promise<TablesOfRun> => this.#runs.open(deps, place),
    });
  }

  async outline(deps: OutlineDeps): Promise<void> {
    await this.#deps.embedded.outlineOver(deps, (place) => this.#runs.outline(deps.tables, place));
  }

  async close(): Promise<void> {
    const stopped = this.moves.stop();
    await this.#deps.clickhouse.close();
    await stopped;
    await this.#deps.embedded.close();
  }

  async #placesOf({ id }: TableSpec): Promise<readonly Place[]> {
    await this.#places.load([id]);
    return heldIn(this.#places.now(id));
  }

  async #written({ id }: TableSpec): Promise<EmbeddedStore | ClickhouseStore> {
    await this.#places.load([id]);
    return this.#deps[this.#places.now(id).writesTo];
  }

  get #both(): readonly (EmbeddedStore | ClickhouseStore)[] {
    return [this.#deps.embedded, this.#deps.clickhouse];
  }
}
