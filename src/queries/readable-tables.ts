// The tables that a query may refer to, looked up when its text asks for them: whoever plans is told that a table is there.

import type { Rightful } from '#access/caller.ts';
import { type VisibleTable, visibleTables } from '#access/table-rights.ts';
import { type LogEngine, TableGone, type TableSpec } from '#engines/engine.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';
import { type Learner, onceKnown } from './plan-until-known.ts';

/** What was asked of the tables and is not known yet. */
interface Asked {
  readonly names: Set<string>;
  /** Names alone are enough to suggest one. */
  everyName: boolean;
  everyTable: boolean;
}

const nothingAsked = (): Asked => ({ names: new Set(), everyName: false, everyTable: false });

export class ReadableTables implements Learner {
  readonly #parts: { readonly store: Store; readonly engine: LogEngine };
  readonly #caller: Rightful;
  /** Undefined: there is none that the caller may see. */
  readonly #tables = new Map<string, VisibleTable | undefined>();
  readonly #known = new Map<string, KnownTable>();
  #asked = nothingAsked();
  #hasEveryName = false;
  #hasEveryTable = false;

  constructor(parts: { store: Store; engine: LogEngine }, caller: Rightful) {
    this.#parts = parts;
    this.#caller = caller;
  }

  /** What `work` makes of the tables, once all that it asks for is known. */
  async told<T>(work: (tables: ReadonlyMap<string, KnownTable>, writable: ReadonlySet<string>) => T): Promise<T> {
    return await onceKnown(
      () => work(this.known(), this.writable()),
      () => [this],
    );
  }

  /** Those that are known; what else is asked of them is remembered. */
  known(): ReadonlyMap<string, KnownTable> {
    return this.#answering(this.#asked);
  }

  writable(): ReadonlySet<string> {
    return new Set([...this.#tables].filter(([, table]) => table?.right === 'write').map(([name]) => name));
  }

  async learn(): Promise<boolean> {
    const asked = this.#asked;
    this.#asked = nothingAsked();
    if (asked.names.size === 0 && !asked.everyName && !asked.everyTable) return false;
    await this.#load(asked);
    return true;
  }

  /** Looks up again what is known of tables: their records may have taught them new columns. */
  async lookAgain(): Promise<void> {
    const known = [...this.#known.keys()].flatMap((name) => this.#tables.get(name) ?? []);
    this.#known.clear();
    for (const table of known) await this.#describe(table);
  }

  /** Of names that a plan was told of. */
  specs(names: ReadonlySet<string>): ReadonlyMap<string, TableSpec> {
    return new Map([...names].flatMap((name) => this.#specOf(name)));
  }

  #specOf(name: string): [string, TableSpec][] {
    const table = this.#tables.get(name);
    if (!table) return [];
    const { id, layout, compression } = table;
    return [[name, { id, name, layout, compression }]];
  }

  #answering(asked: Asked): ReadonlyMap<string, KnownTable> {
    const isAbsent = (name: string) => this.#tables.has(name) && !this.#tables.get(name);
    return new AnsweringTables(this.#known, {
      lacking: (name) => {
        if (isAbsent(name) || (this.#hasEveryName && !this.#tables.has(name))) return undefined;
        asked.names.add(name);
        return { name, columns: [], isOpen: true };
      },
      names: () => {
        asked.everyName ||= !this.#hasEveryName;
        return [...this.#tables].filter(([, table]) => table).map(([name]) => name);
      },
      all: () => {
        asked.everyTable ||= !this.#hasEveryTable;
      },
    });
  }

  async #load({ names, everyName, everyTable }: Asked): Promise<void> {
    const isWhole = everyName || everyTable;
    const wanted = isWhole ? undefined : [...names];
    const found = await this.#parts.store.read((db) => visibleTables(db, this.#caller, wanted));
    for (const name of names) this.#tables.set(name, undefined);
    for (const table of found) this.#tables.set(table.name, table);
    this.#hasEveryName ||= isWhole;
    for (const table of found) if (everyTable || names.has(table.name)) await this.#describe(table);
    this.#hasEveryTable ||= everyTable;
  }

  async #describe(table: VisibleTable): Promise<void> {
    if (this.#known.has(table.name)) return;
    try {
      this.#known.set(table.name, await this.#parts.engine.describe(table));
    } catch (error) {
      if (!(error instanceof TableGone)) throw error;
      this.#tables.set(table.name, undefined);
    }
  }
}

interface Answers {
  lacking(name: string): KnownTable | undefined;
  names(): readonly string[];
  /** Told that all are looked at. */
  all(): void;
}

class AnsweringTables extends Map<string, KnownTable> {
  readonly #answers: Answers;

  constructor(known: ReadonlyMap<string, KnownTable>, answers: Answers) {
    super();
    for (const [name, table] of known) super.set(name, table);
    this.#answers = answers;
  }

  override get(name: string): KnownTable | undefined {
    return super.get(name) ?? this.#answers.lacking(name);
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  override keys(): MapIterator<string> {
    return this.#answers.names()[Symbol.iterator]() as MapIterator<string>;
  }

  override values(): MapIterator<KnownTable> {
    this.#answers.all();
    return super.values();
  }
}
