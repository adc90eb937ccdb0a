// The log engine of a service that has records in two places: new tables are made on ClickHouse, embedded ones stay where they are.
// What concerns a table goes to the engine that has it, and a run reads tables of both.

import type { ClickhouseEngine } from '#engines/clickhouse/engine.ts';
import type { DuckdbEngine } from '#engines/duckdb/engine.ts';
import type { PlacesOfRun } from '#engines/duckdb/engine-deps.ts';
import type {
  EngineUse,
  LogEngine,
  NewRecords,
  NewTable,
  Place,
  SourceOffset,
  SourceSelection,
  Staging,
  TableSpec,
  TableStats,
} from '#engines/engine.ts';
import type { LookupFiles } from '#engines/lookup-files.ts';
import type { OutlineDeps, PlanRun, RunDeps } from '#engines/plan-run.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { JoinedTables, type PlaceOfRun } from './joined-tables.ts';
import { Places } from './places.ts';

interface PlacedEngineDeps {
  readonly store: Store;
  /** Finishes the rows of all runs. */
  readonly embedded: DuckdbEngine;
  readonly clickhouse: ClickhouseEngine;
}

export class PlacedEngine implements LogEngine {
  readonly #deps: PlacedEngineDeps;
  readonly #places: Places;

  constructor(deps: PlacedEngineDeps) {
    this.#deps = deps;
    this.#places = new Places(deps.store);
  }

  get lookups(): LookupFiles {
    return this.#deps.embedded.lookups;
  }

  insertTable(db: Db, table: NewTable): Promise<number> {
    return this.#deps.clickhouse.insertTable(db, table);
  }

  async append(spec: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number> {
    return await (await this.#of(spec)).append(spec, records, offsets);
  }

  async sourceOffsets(spec: TableSpec): Promise<ReadonlyMap<string, number>> {
    return await (await this.#of(spec)).sourceOffsets(spec);
  }

  async removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
    for (const engine of this.#both) await engine.removeSourceOffsets(db, selection);
  }

  placeOf(spec: TableSpec): Promise<Place> {
    return this.#places.of(spec.id);
  }

  async stage(spec: TableSpec): Promise<Staging> {
    return await (await this.#of(spec)).stage(spec);
  }

  async stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>> {
    const byPlace = Map.groupBy(await this.#places.ofAll(tableIds), ([, place]) => place);
    const stats = new Map<number, TableStats>();
    for (const [place, tables] of byPlace) {
      const found = await this.#deps[place].stats(tables.map(([id]) => id));
      for (const [id, figures] of found) stats.set(id, figures);
    }
    return stats;
  }

  async days(spec: TableSpec) {
    return await (await this.#of(spec)).days(spec);
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

  async removeDays(spec: TableSpec, from: string, to: string): Promise<void> {
    await (await this.#of(spec)).removeDays(spec, from, to);
  }

  async drop(spec: TableSpec): Promise<void> {
    await (await this.#of(spec)).drop(spec);
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
    return await (await this.#of(spec)).fileColumns(spec);
  }

  async describe(spec: TableSpec): Promise<KnownTable> {
    return await (await this.#of(spec)).describe(spec);
  }

  async begin(deps: RunDeps): Promise<PlanRun> {
    const { embedded, clickhouse } = this.#deps;
    const { own, outside } = await this.#parted(deps.tables);
    const openOwn = await embedded.tablesOfRun(own);
    const openOutside = await clickhouse.tablesOfRun(outside, deps.account);
    return await embedded.beginOver(deps, {
      stage: (spec) => this.stage(spec),
      tables: joined({ names: own.keys(), open: openOwn }, { names: outside.keys(), open: openOutside }),
    });
  }

  async outline(deps: OutlineDeps): Promise<void> {
    const { embedded, clickhouse } = this.#deps;
    const { own, outside } = await this.#parted(deps.tables);
    const openOwn = await embedded.tablesOfOutline(own);
    const openOutside = await clickhouse.tablesOfRun(outside);
    const tables = joined({ names: own.keys(), open: openOwn }, { names: outside.keys(), open: openOutside });
    await embedded.outlineOver(deps, tables);
  }

  async close(): Promise<void> {
    for (const engine of this.#both.toReversed()) await engine.close();
  }

  async #parted(tables: ReadonlyMap<string, TableSpec>) {
    const own = new Map<string, TableSpec>();
    const outside = new Map<string, TableSpec>();
    for (const [name, spec] of tables) {
      ((await this.#places.of(spec.id)) === 'embedded' ? own : outside).set(name, spec);
    }
    return { own, outside };
  }

  async #of(spec: TableSpec): Promise<DuckdbEngine | ClickhouseEngine> {
    return this.#deps[await this.#places.of(spec.id)];
  }

  get #both(): readonly (DuckdbEngine | ClickhouseEngine)[] {
    return [this.#deps.embedded, this.#deps.clickhouse];
  }
}

interface OpenedPlace {
  readonly names: Iterable<string>;
  readonly open: PlacesOfRun['tables'];
}

/** The embedded place is opened in any case: it tells where a run without tables happens. */
function joined(embedded: OpenedPlace, outside: OpenedPlace): PlacesOfRun['tables'] {
  const [own, others] = [new Set(embedded.names), new Set(outside.names)];
  return async (place) => {
    await using opened = new AsyncDisposableStack();
    const places: PlaceOfRun[] = [{ names: own, tables: opened.use(await embedded.open(place)) }];
    if (others.size > 0) places.push({ names: others, tables: opened.use(await outside.open(place)) });
    opened.move();
    return new JoinedTables(places);
  };
}
