// The tables of runs, opened in the places where their records are. No day of them is switched between the snapshots of both places,
// so a run reads each record once.

import type { Place, TableSpec } from '#logs/log-store.ts';
import type { RunDeps } from '#logs/run.ts';
import type { RunPlace, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ClickhouseStore } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { JoinedTables, type PlaceOfRun } from './joined-tables.ts';
import { heldIn, type Places } from './places.ts';
import type { TableLocks } from './table-locks.ts';

interface RunsOfPlacesDeps {
  readonly embedded: EmbeddedStore;
  readonly clickhouse: ClickhouseStore;
  readonly places: Places;
  readonly locks: TableLocks;
}

/** More than records that arrive meanwhile can bring about. */
const MAX_ROUNDS = 300;

/** A defect: a run would wait for ever. */
class ColumnsDiffer extends Error {
  constructor(tables: readonly string[]) {
    super(`the two parts of a table know other columns: ${tables.join(', ')}`);
  }
}

type Specs = ReadonlyMap<string, TableSpec>;

/** A run that has begun. */
interface OpenRun {
  readonly specs: Specs;
  readonly joined: JoinedTables;
  openLate(name: string, place: Place): Promise<TablesOfRun>;
}

export class RunsOfPlaces {
  readonly #deps: RunsOfPlacesDeps;
  readonly #open = new Set<OpenRun>();

  constructor(deps: RunsOfPlacesDeps) {
    this.#deps = deps;
  }

  async open({ tables: specs, account }: Pick<RunDeps, 'tables' | 'account'>, place: RunPlace): Promise<JoinedTables> {
    const { places, locks } = this.#deps;
    const ids = [...specs.values()].map(({ id }) => id);
    await places.load(ids);
    using _held = await locks.share(ids);
    const split = [...specs.values()].filter(({ id }) => places.now(id).isSplit);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      place.signal.throwIfAborted();
      await this.#matchColumns(split);
      const joined = await this.#joined({ specs, account }, place);
      const isSame = ({ name }: TableSpec) => place.awaited.has(name) || joined.hasSameColumns(name);
      if (split.every(isSame)) return joined;
      // A column was learnt in between.
      await joined[Symbol.asyncDispose]();
    }
    throw new ColumnsDiffer(split.map(({ name }) => name));
  }

  async outline(specs: Specs, place: RunPlace): Promise<TablesOfRun> {
    await this.#deps.places.load([...specs.values()].map(({ id }) => id));
    const { own, outside } = this.#parted(specs);
    const openOwn = await this.#deps.embedded.tablesOfOutline(own);
    const openOutside = await this.#deps.clickhouse.tablesOfRun(outside);
    await using opened = new AsyncDisposableStack();
    const parts: PlaceOfRun[] = [
      { place: 'embedded', names: new Set(own.keys()), tables: opened.use(await openOwn(place)) },
    ];
    if (outside.size > 0) {
      const tables = opened.use(await openOutside(place));
      parts.push({ place: 'clickhouse', names: new Set(outside.keys()), tables });
    }
    opened.move();
    return new JoinedTables(parts);
  }

  /** Runs that have begun get what arrives in a table at its new place, too. */
  async extend({ id }: TableSpec, place: Place): Promise<void> {
    for (const { specs, joined, openLate } of this.#open) {
      for (const [name, spec] of specs)
        if (spec.id === id) await joined.extend({ name, place, open: () => openLate(name, place) });
    }
  }

  /** ClickHouse first: what it knows of columns is known to the embedded part then. That part is opened in any case. */
  async #joined({ specs, account }: { specs: Specs; account: string }, place: RunPlace): Promise<JoinedTables> {
    const { embedded, clickhouse } = this.#deps;
    const { own, outside } = this.#parted(specs);
    await using opened = new AsyncDisposableStack();
    const parts: PlaceOfRun[] = [];
    if (outside.size > 0) {
      const tables = opened.use(await (await clickhouse.tablesOfRun(outside, account))(place));
      parts.push({ place: 'clickhouse', names: new Set(outside.keys()), tables });
    }
    const tables = opened.use(await (await embedded.tablesOfRun(own))(place));
    parts.unshift({ place: 'embedded', names: new Set(own.keys()), tables });
    opened.move();
    const openLate = async (name: string, late: Place) => {
      const spec = specs.get(name);
      const only = new Map(spec ? [[name, spec]] : []);
      const open = late === 'embedded' ? await embedded.tablesOfRun(only) : await clickhouse.tablesOfRun(only, account);
      return await open({ ...place, awaited: new Set([name]) });
    };
    const joined = new JoinedTables(parts, () => this.#open.delete(run));
    const run: OpenRun = { specs, joined, openLate };
    this.#open.add(run);
    return joined;
  }

  async #matchColumns(split: readonly TableSpec[]): Promise<void> {
    for (const spec of split) await (await this.#deps.clickhouse.moving.table(spec)).match();
  }

  #parted(specs: Specs) {
    const held = (spec: TableSpec) => heldIn(this.#deps.places.now(spec.id));
    return {
      own: new Map([...specs].filter(([, spec]) => held(spec).includes('embedded'))),
      outside: new Map([...specs].filter(([, spec]) => held(spec).includes('clickhouse'))),
    };
  }
}
