// The tables of a run whose records are in several stores: each store gives the rows of its tables.

import type { NamelessFile } from '#files/nameless.ts';
import type { Location } from '#logs/log-store.ts';
import type { ArrivingTable } from '#logs/runs/arrivals/tap.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { Borrowing } from '#logs/runs/tables/borrowing.ts';
import type { Condensing, Counting, PlannedCondensing } from '#logs/runs/tables/condensing.ts';
import type { PlannedRead, Sources, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { WantedSlice } from '#logs/runs/tables/time-slices.ts';
import type { TimedRows } from '#logs/runs/tables/timed-rows.ts';
import type { CondensedRows, SelectedRows } from '#query/analysis/condensed-rows.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/plan-nodes/plan-node.ts';
import {
  type FurtherTypes,
  type LeafTypes,
  NO_LEAF_TYPES,
  type SearchedRows,
  type TableSelect,
} from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { quotedName, typed } from '#query/sql/writer.ts';

/** The tables of a run in one store. A split table is in both. */
export interface LocatedTables {
  readonly location: Location;
  readonly names: ReadonlySet<string>;
  readonly tables: TablesOfRun;
}

/** A table whose new records go to another location than when the run began. */
interface MovedTable {
  readonly name: string;
  readonly location: Location;
  open(): Promise<TablesOfRun>;
}

/** Listens to the records that arrive in a table, wherever they arrive. */
interface Listening {
  readonly name: string;
  readonly listener: Parameters<ArrivingTable['listen']>[0];
  readonly held: DisposableStack;
}

export class JoinedTables implements TablesOfRun {
  readonly #stores: readonly LocatedTables[];
  /** Where tables have come to since the run began; of these nothing but arriving records is read. */
  readonly #late: LocatedTables[] = [];
  /** Those that are not opened, because nothing listens. */
  #moved: readonly MovedTable[] = [];
  #isEnded = false;
  readonly #listening = new Set<Listening>();
  readonly #ended: () => void;

  constructor(stores: readonly LocatedTables[], ended: () => void = () => {}) {
    this.#stores = stores;
    this.#ended = ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    this.#ended();
    await using disposing = new AsyncDisposableStack();
    for (const { tables } of [...this.#stores, ...this.#late]) disposing.use(tables);
  }

  /** Whether both parts of a split table know the same columns: one of them may just have learnt one. */
  hasSameColumns(table: string): boolean {
    const [first, ...others] = this.#stores.filter(({ names }) => names.has(table));
    const columns = first?.tables.storedColumns(table) ?? new Map();
    return others.every(({ tables }) => {
      const other = tables.storedColumns(table);
      return other.size === columns.size && columns.entries().every(([name, type]) => other.get(name) === type);
    });
  }

  /** New records of a table go to another location from now on. Resolves when those that listen to them hear them there. */
  async extend(moved: MovedTable): Promise<void> {
    if (this.#arrivingAt(moved.name).some(({ location }) => location === moved.location)) return;
    this.#moved = [...this.#moved, moved];
    if (this.#listening.values().some(({ name }) => name === moved.name)) await this.#openMoved(moved.name);
  }

  async #openMoved(table: string): Promise<void> {
    const moved = this.#moved.filter(({ name }) => name === table);
    this.#moved = this.#moved.filter(({ name }) => name !== table);
    for (const { name, location, open } of moved) {
      const late = { location, names: new Set([name]), tables: await open() };
      if (this.#isEnded) return await late.tables[Symbol.asyncDispose]();
      this.#late.push(late);
      for (const listening of this.#listening) if (listening.name === name) this.#listen(listening, late);
    }
  }

  get secret(): readonly string[] {
    return [...new Set(this.#stores.flatMap(({ tables }) => tables.secret))];
  }

  /** If anything is secret, the store that has it decides. */
  get instance() {
    const secret = this.#stores.find(({ tables }) => tables.secret.length > 0);
    if (secret) return secret.tables.instance;
    return this.#stores.map(({ tables }) => tables.instance).find((instance) => instance !== undefined);
  }

  get leavesOut(): boolean {
    return this.#stores.every(({ tables, names }) => tables.leavesOut || names.size === 0);
  }

  /** Rows of ClickHouse come to the node, and all that the run does with them is done there. */
  get statementsOn(): TablesOfRun['statementsOn'] {
    const isOutside = this.#stores.some(({ tables, names }) => tables.statementsOn === 'node' && names.size > 0);
    return isOutside ? 'node' : 'embedded';
  }

  storedColumns(table: string): ReadonlyMap<string, ColumnType> {
    return this.#first(table).tables.storedColumns(table);
  }

  /** Only the embedded store has further columns; values of its records that came from the other one are in `_rest`. */
  furtherTypes(table: string): ReadonlyMap<string, FurtherTypes> {
    const [first, ...others] = this.#stores.filter(({ names }) => names.has(table));
    const further = first?.tables.furtherTypes?.(table) ?? new Map<string, FurtherTypes>();
    if (others.length === 0) return further;
    return new Map(further.entries().map(([field, { columns }]) => [field, { columns, isInRest: true }]));
  }

  /** Only the embedded store has columns of leaves; `_rest` of other records has all. */
  leafTypes(table: string): LeafTypes {
    const [first] = this.#stores.filter(({ names }) => names.has(table));
    return first?.tables.leafTypes?.(table) ?? NO_LEAF_TYPES;
  }

  /** One whose records are in two locations is that of a service alone. */
  storesNode(table: string): boolean {
    const stores = this.#stores.filter(({ names }) => names.has(table));
    return stores.every(({ tables }) => tables.storesNode?.(table) ?? false);
  }

  plannedReads(sources: readonly TableSelect[], borrowing: Borrowing): readonly PlannedRead[] {
    return this.#stores.flatMap(({ names, tables }) => {
      const own = sources.filter(({ table }) => names.has(table.name));
      return tables.plannedReads(own, borrowing);
    });
  }

  async condensed(rows: CondensedRows, condensing: Condensing): Promise<string | undefined> {
    return await this.#onlyStoreOf(rows)?.condensed?.(rows, condensing);
  }

  plannedCondensed(rows: CondensedRows, condensing: PlannedCondensing): readonly PlannedRead[] | undefined {
    return this.#onlyStoreOf(rows)?.plannedCondensed?.(rows, condensing);
  }

  async countSelected(rows: SelectedRows, counting: Counting): Promise<bigint | undefined> {
    return await this.#onlyStoreOf(rows)?.countSelected?.(rows, counting);
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const borrowed: Sources[] = [];
    const rowsOf = new Map<TableSelect, Sources[]>();
    using holding = new DisposableStack();
    for (const { names, tables } of this.#stores) {
      const own = sources.filter(({ table }) => names.has(table.name));
      if (own.length === 0) continue;
      const rows = holding.use(await tables.borrow(own, session, borrowing));
      borrowed.push(rows);
      for (const source of own) rowsOf.set(source, [...(rowsOf.get(source) ?? []), rows]);
    }
    const held = holding.move();
    return {
      areFilesAlone: borrowed.every(({ areFilesAlone }) => areFilesAlone),
      measure: async () => sumOf(await Promise.all(borrowed.map((rows) => rows.measure()))),
      selectOf: (source) =>
        (rowsOf.get(source) ?? []).flatMap((rows, index) =>
          rows.selectOf(source).map((part) => (index === 0 ? part : this.#withFurther(part, source))),
        ),
      async blamed(error) {
        for (const rows of borrowed) {
          const cause = await rows.blamed(error);
          if (cause !== error) return cause;
        }
        return error;
      },
      [Symbol.dispose]: () => held.dispose(),
    };
  }

  /** Rows of a store that has neither further columns nor those of leaves, with these. */
  #withFurther(part: SearchedRows, { table: { name }, reads }: TableSelect): SearchedRows {
    const further = [...this.furtherTypes(name).values()].flatMap(({ columns }) => columns);
    const nulls = [...further, ...this.leafTypes(name).columns]
      .filter((column) => reads.columns.has(column.name))
      .map(nullOf);
    return nulls.length === 0 ? part : { ...part, select: `select *, ${nulls.join(', ')} from (${part.select})` };
  }

  /** The smallest of what the stores give: none of them has more rows in it than wanted. */
  async nextSlice(scan: Scan, wanted: WantedSlice, session: RunSession): Promise<TimeRange> {
    const slices: TimeRange[] = [];
    for (const { tables, part } of this.#partsOf(scan)) slices.push(await tables.nextSlice(part, wanted, session));
    const [first = wanted.rest, ...others] = slices;
    return others.reduce((slice, other) => (isWithin(other, slice) ? other : slice), first);
  }

  isCounted(scan: Scan): boolean {
    return this.#partsOf(scan).every(({ tables, part }) => tables.isCounted(part));
  }

  async partsIn(scan: Scan, groups?: TimeGroups): Promise<readonly TimedRows[] | undefined> {
    const all: TimedRows[] = [];
    for (const { tables, part } of this.#partsOf(scan)) {
      const found = await tables.partsIn(part, groups);
      if (!found) return undefined;
      all.push(...found);
    }
    return all;
  }

  certainRows(scan: Scan): bigint {
    return this.#partsOf(scan).reduce((total, { tables, part }) => total + tables.certainRows(part), 0n);
  }

  async countRows(scan: Scan, session: RunSession): Promise<bigint> {
    let total = 0n;
    for (const { tables, part } of this.#partsOf(scan)) total += await tables.countRows(part, session);
    return total;
  }

  arriving(name: string): ArrivingTable {
    return {
      name,
      listen: (listener) => {
        const listening = { name, listener, held: new DisposableStack() };
        for (const store of this.#arrivingAt(name)) this.#listen(listening, store);
        this.#listening.add(listening);
        // Nothing can be awaited here: what arrives at the new location meanwhile is not heard.
        this.#openMoved(name).catch(() => undefined);
        listening.held.defer(() => this.#listening.delete(listening));
        return listening.held;
      },
    };
  }

  #listen({ name, listener, held }: Listening, { tables }: LocatedTables): void {
    if (!held.disposed) held.use(tables.arriving(name).listen(listener));
  }

  #arrivingAt(name: string): readonly LocatedTables[] {
    return [...this.#stores, ...this.#late].filter(({ names }) => names.has(name));
  }

  file(spillFolder: string): Promise<NamelessFile> {
    const [first] = this.#stores;
    const store = this.#stores.find(({ tables }) => tables.secret.length > 0) ?? first;
    if (!store) throw new Error('a run has at least one store');
    return store.tables.file(spillFolder);
  }

  #first(name: string): LocatedTables {
    const store = this.#stores.find(({ names }) => names.has(name));
    if (!store) throw new Error(`the run has no table ${name}`);
    return store;
  }

  /** Undefined where records of a scan are in several locations. */
  #onlyStoreOf({ scan }: SelectedRows): TablesOfRun | undefined {
    const [only, ...others] = this.#stores.filter(({ names }) => scan.tables.some(({ name }) => names.has(name)));
    return others.length === 0 ? only?.tables : undefined;
  }

  /** The scan as each store reads it. */
  #partsOf(scan: Scan): { readonly tables: TablesOfRun; readonly part: Scan }[] {
    return this.#stores
      .map(({ names, tables }) => ({
        tables,
        part: { ...scan, tables: scan.tables.filter(({ name }) => names.has(name)) },
      }))
      .filter(({ part }) => part.tables.length > 0);
  }
}

const nullOf = ({ name, type }: FurtherTypes['columns'][number]): string =>
  `null::${typed(type)} as ${quotedName(name)}`;

const EARLIEST = Number.NEGATIVE_INFINITY;
const LATEST = Number.POSITIVE_INFINITY;

const isWithin = (one: TimeRange, other: TimeRange): boolean =>
  (one.from?.epochMilliseconds ?? EARLIEST) >= (other.from?.epochMilliseconds ?? EARLIEST) &&
  (one.to?.epochMilliseconds ?? LATEST) <= (other.to?.epochMilliseconds ?? LATEST);

type Measured = Awaited<ReturnType<Sources['measure']>>;

/** Null where one of them is. */
const sumOf = (all: readonly Measured[]): Measured =>
  all.reduce((sum, one) => ({ rows: plus(sum.rows, one.rows), bytes: plus(sum.bytes, one.bytes) }), {
    rows: 0,
    bytes: 0,
  });

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;
