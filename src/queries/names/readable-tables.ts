// The tables that a query may refer to, loaded on demand: until then the planner treats an unknown table as existing.

import type { Rightful } from '#access/caller.ts';
import { type VisibleTable, visibleTables } from '#access/rights/table-rights.ts';
import { ended } from '#kernel/sliced-work.ts';
import { type LogStore, TableGone, type TableSpec } from '#logs/log-store.ts';
import { type MissingLoader, planUntilKnown } from '#queries/check/plan-until-known.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';

/** Requested tables that are not loaded yet. */
interface Requested {
  readonly names: Set<string>;
  /** Suggestions need only names. */
  everyName: boolean;
  everyTable: boolean;
}

const nothingRequested = (): Requested => ({ names: new Set(), everyName: false, everyTable: false });

export class ReadableTables implements MissingLoader {
  readonly #deps: { readonly store: Store; readonly engine: LogStore };
  readonly #caller: Rightful;
  /** Undefined for a table that does not exist for the caller. */
  readonly #tables = new Map<string, VisibleTable | undefined>();
  readonly #known = new Map<string, KnownTable>();
  #requested = nothingRequested();
  #hasEveryName = false;
  #hasEveryTable = false;

  constructor(deps: { store: Store; engine: LogStore }, caller: Rightful) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /** The result of `work` once all requested tables are loaded. */
  async planWithTables<T>(
    work: (tables: ReadonlyMap<string, KnownTable>, writable: ReadonlySet<string>) => T,
  ): Promise<T> {
    return await planUntilKnown(
      () => ended(work(this.known(), this.writable())),
      () => [this],
    );
  }

  /** Loaded tables; further requests are recorded. */
  known(): ReadonlyMap<string, KnownTable> {
    return this.#lazyTables(this.#requested);
  }

  writable(): ReadonlySet<string> {
    return new Set([...this.#tables].filter(([, table]) => table?.right === 'write').map(([name]) => name));
  }

  async loadMissing(): Promise<boolean> {
    const asked = this.#requested;
    this.#requested = nothingRequested();
    if (asked.names.size === 0 && !asked.everyName && !asked.everyTable) return false;
    await this.#load(asked);
    return true;
  }

  /** Reloads the known tables: new records may have added columns. */
  async refresh(): Promise<void> {
    const known = [...this.#known.keys()].flatMap((name) => this.#tables.get(name) ?? []);
    this.#known.clear();
    for (const table of known) await this.#describe(table);
  }

  /** Specs of the tables that a plan names. */
  specs(names: ReadonlySet<string>): ReadonlyMap<string, TableSpec> {
    return new Map([...names].flatMap((name) => this.#specOf(name)));
  }

  #specOf(name: string): [string, TableSpec][] {
    const table = this.#tables.get(name);
    if (!table) return [];
    const { id, layout, compression } = table;
    return [[name, { id, name, layout, compression }]];
  }

  #lazyTables(asked: Requested): ReadonlyMap<string, KnownTable> {
    const isAbsent = (name: string) => this.#tables.has(name) && !this.#tables.get(name);
    return new LazyTables(this.#known, {
      missing: (name) => {
        if (isAbsent(name) || (this.#hasEveryName && !this.#tables.has(name))) return undefined;
        asked.names.add(name);
        return { name, columns: [], isOpen: true };
      },
      names: () => {
        asked.everyName ||= !this.#hasEveryName;
        return [...this.#tables].filter(([, table]) => table).map(([name]) => name);
      },
      onReadAll: () => {
        asked.everyTable ||= !this.#hasEveryTable;
      },
    });
  }

  async #load({ names, everyName, everyTable }: Requested): Promise<void> {
    const isWhole = everyName || everyTable;
    const wanted = isWhole ? undefined : [...names];
    const found = await this.#deps.store.read((db) => visibleTables(db, this.#caller, wanted));
    for (const name of names) this.#tables.set(name, undefined);
    for (const table of found) this.#tables.set(table.name, table);
    this.#hasEveryName ||= isWhole;
    for (const table of found) if (everyTable || names.has(table.name)) await this.#describe(table);
    this.#hasEveryTable ||= everyTable;
  }

  async #describe(table: VisibleTable): Promise<void> {
    if (this.#known.has(table.name)) return;
    try {
      this.#known.set(table.name, await this.#deps.engine.describe(table));
    } catch (error) {
      if (!(error instanceof TableGone)) throw error;
      this.#tables.set(table.name, undefined);
    }
  }
}

interface TableSource {
  missing(name: string): KnownTable | undefined;
  names(): readonly string[];
  /** Called when a reader iterates over all tables. */
  onReadAll(): void;
}

class LazyTables extends Map<string, KnownTable> {
  readonly #answers: TableSource;

  constructor(known: ReadonlyMap<string, KnownTable>, answers: TableSource) {
    super();
    for (const [name, table] of known) super.set(name, table);
    this.#answers = answers;
  }

  override get(name: string): KnownTable | undefined {
    return super.get(name) ?? this.#answers.missing(name);
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  override keys(): MapIterator<string> {
    return this.#answers.names()[Symbol.iterator]() as MapIterator<string>;
  }

  override values(): MapIterator<KnownTable> {
    this.#answers.onReadAll();
    return super.values();
  }
}
