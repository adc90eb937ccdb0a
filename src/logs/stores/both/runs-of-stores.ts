// The tables of runs, opened in the stores that have their records. No day of them is switched between the snapshots of both stores,
// so a run reads each record once.

import type { Location, TableSpec } from '#logs/log-store.ts';
import type { RunDeps } from '#logs/run.ts';
import type { RunContext, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ClickhouseStore } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { JoinedTables, type LocatedTables } from './joined-tables.ts';
import { heldIn, type Locations } from './locations.ts';
import type { TableLocks } from './table-locks.ts';

interface RunsOfStoresDeps {
  readonly embedded: EmbeddedStore;
  readonly clickhouse: ClickhouseStore;
  readonly locations: Locations;
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
  openLate(name: string, location: Location): Promise<TablesOfRun>;
}

export class RunsOfStores {
  readonly #deps: RunsOfStoresDeps;
  readonly #open = new Set<OpenRun>();

  constructor(deps: RunsOfStoresDeps) {
    this.#deps = deps;
  }

  async open(
    { tables: specs, account }: Pick<RunDeps, 'tables' | 'account'>,
    context: RunContext,
  ): Promise<JoinedTables> {
    const { locations, locks } = this.#deps;
    const ids = [...specs.values()].map(({ id }) => id);
    await locations.load(ids);
    using _held = await locks.share(ids);
    const split = [...specs.values()].filter(({ id }) => locations.now(id).isSplit);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      context.signal.throwIfAborted();
      await this.#matchColumns(split);
      const joined = await this.#joined({ specs, account }, context);
      const isSame = ({ name }: TableSpec) => context.awaited.has(name) || joined.hasSameColumns(name);
      if (split.every(isSame)) return joined;
      // A column was learnt in between.
      await joined[Symbol.asyncDispose]();
    }
    throw new ColumnsDiffer(split.map(({ name }) => name));
  }

  async outline(specs: Specs, context: RunContext): Promise<TablesOfRun> {
    await this.#deps.locations.load([...specs.values()].map(({ id }) => id));
    const { own, outside } = this.#parted(specs);
    const openOwn = await this.#deps.embedded.tablesOfOutline(own);
    const openOutside = await this.#deps.clickhouse.tablesOfRun(outside);
    await using opened = new AsyncDisposableStack();
    const parts: LocatedTables[] = [
      { location: 'embedded', names: new Set(own.keys()), tables: opened.use(await openOwn(context)) },
    ];
    if (outside.size > 0) {
      const tables = opened.use(await openOutside(context));
      parts.push({ location: 'clickhouse', names: new Set(outside.keys()), tables });
    }
    opened.move();
    return new JoinedTables(parts);
  }

  /** Runs that have begun get what arrives in a table at its new location, too. */
  async extend({ id }: TableSpec, location: Location): Promise<void> {
    for (const { specs, joined, openLate } of this.#open) {
      for (const [name, spec] of specs)
        if (spec.id === id) await joined.extend({ name, location, open: () => openLate(name, location) });
    }
  }

  /** ClickHouse first: what it knows of columns is known to the embedded part then. That part is opened in any case. */
  async #joined({ specs, account }: { specs: Specs; account: string }, context: RunContext): Promise<JoinedTables> {
    const { embedded, clickhouse } = this.#deps;
    const { own, outside } = this.#parted(specs);
    await using opened = new AsyncDisposableStack();
    const parts: LocatedTables[] = [];
    if (outside.size > 0) {
      const tables = opened.use(await (await clickhouse.tablesOfRun(outside, account))(context));
      parts.push({ location: 'clickhouse', names: new Set(outside.keys()), tables });
    }
    const tables = opened.use(await (await embedded.tablesOfRun(own))(context));
    parts.unshift({ location: 'embedded', names: new Set(own.keys()), tables });
    opened.move();
    const openLate = async (name: string, late: Location) => {
      const spec = specs.get(name);
      const only = new Map(spec ? [[name, spec]] : []);
      const open = late === 'embedded' ? await embedded.tablesOfRun(only) : await clickhouse.tablesOfRun(only, account);
      return await open({ ...context, awaited: new Set([name]) });
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
    const held = (spec: TableSpec) => heldIn(this.#deps.locations.now(spec.id));
    return {
      own: new Map([...specs].filter(([, spec]) => held(spec).includes('embedded'))),
      outside: new Map([...specs].filter(([, spec]) => held(spec).includes('clickhouse'))),
    };
  }
}
