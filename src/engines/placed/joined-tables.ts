// The tables of a run whose records are in several places: each place gives its part of the rows, and a table that has parts in
// two of them is read as one.

import { quotedName } from '#engines/duckdb/instance/quote.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import type { TimedRows } from '#engines/duckdb/reads/segment-selection.ts';
import type { ArrivingTable } from '#engines/duckdb/reads/tap.ts';
import type { WantedSlice } from '#engines/duckdb/reads/time-slices.ts';
import type { Borrowing } from '#engines/duckdb/runs/borrowing.ts';
import type { Sources, TablesOfRun } from '#engines/duckdb/runs/tables-of-run.ts';
import type { NamelessFile } from '#files/nameless.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/nodes/node.ts';
import type { SearchedRows, TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';

/** The tables of a run in one place. */
export interface PlaceOfRun {
  readonly names: ReadonlySet<string>;
  readonly tables: TablesOfRun;
}

/** Of the columns of records in DuckDB, by the types that a plan knows. */
const STORED_TYPES: Readonly<Partial<Record<ColumnType, string>>> = {
  long: 'BIGINT',
  double: 'DOUBLE',
  bool: 'BOOLEAN',
  string: 'VARCHAR',
};

export class JoinedTables implements TablesOfRun {
  readonly #places: readonly PlaceOfRun[];
  readonly #columns = new Map<string, ReadonlyMap<string, ColumnType>>();

  constructor(places: readonly PlaceOfRun[]) {
    this.#places = places;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using disposing = new AsyncDisposableStack();
    for (const { tables } of this.#places) disposing.use(tables);
  }

  get secret(): readonly string[] {
    return [...new Set(this.#places.flatMap(({ tables }) => tables.secret))];
  }

  /** Where anything is secret, the place that knows of it tells. */
  get instance() {
    const secret = this.#places.find(({ tables }) => tables.secret.length > 0);
    if (secret) return secret.tables.instance;
    return this.#places.map(({ tables }) => tables.instance).find((instance) => instance !== undefined);
  }

  get leavesOut(): boolean {
    return this.#places.every(({ tables, names }) => tables.leavesOut || names.size === 0);
  }

  storedColumns(table: string): ReadonlyMap<string, ColumnType> {
    const known = this.#columns.get(table);
    if (known) return known;
    const columns = joinedColumns(this.#of(table).map(({ tables }) => tables.storedColumns(table)));
    this.#columns.set(table, columns);
    return columns;
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const borrowed: { readonly names: ReadonlySet<string>; readonly rows: Sources }[] = [];
    using holding = new DisposableStack();
    for (const { names, tables } of this.#places) {
      const own = sources.filter(({ table }) => names.has(table.name));
      if (own.length === 0) continue;
      borrowed.push({ names, rows: holding.use(await tables.borrow(own, session, borrowing)) });
    }
    const held = holding.move();
    return {
      areFilesAlone: borrowed.every(({ rows }) => rows.areFilesAlone),
      selectOf: (source) => {
        const places = borrowed.filter(({ names }) => names.has(source.table.name));
        const [only] = places;
        if (places.length === 1 && only) return only.rows.selectOf(source);
        return places.flatMap(({ names, rows }) =>
          rows.selectOf(source).map((some) => this.#alike(some, source, this.#columnsIn(names, source.table.name))),
        );
      },
      async blamed(error) {
        for (const { rows } of borrowed) {
          const cause = await rows.blamed(error);
          if (cause !== error) return cause;
        }
        return error;
      },
      [Symbol.dispose]: () => held.dispose(),
    };
  }

  /** The smallest of what the places give: none of them has more rows in it than wanted. */
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
    const all = this.#of(name).map(({ tables }) => tables.arriving(name));
    return {
      name,
      listen(listener) {
        using listening = new DisposableStack();
        for (const table of all) listening.use(table.listen(listener));
        const held = listening.move();
        return { [Symbol.dispose]: () => held.dispose() };
      },
    };
  }

  file(spillFolder: string): Promise<NamelessFile> {
    const { tables } = this.#places.find((place) => place.tables.secret.length > 0) ?? this.#first;
    return tables.file(spillFolder);
  }

  get #first(): PlaceOfRun {
    const [first] = this.#places;
    if (!first) throw new Error('a run has at least one place');
    return first;
  }

  #of(name: string): readonly PlaceOfRun[] {
    const places = this.#places.filter(({ names }) => names.has(name));
    if (places.length === 0) throw new Error(`the run has no table ${name}`);
    return places;
  }

  /** The scan as each place reads it. */
  #partsOf(scan: Scan): { readonly tables: TablesOfRun; readonly part: Scan }[] {
    return this.#places
      .map(({ names, tables }) => ({
        tables,
        part: { ...scan, tables: scan.tables.filter(({ name }) => names.has(name)) },
      }))
      .filter(({ part }) => part.tables.length > 0);
  }

  #columnsIn(names: ReadonlySet<string>, table: string): ReadonlyMap<string, ColumnType> {
    const place = this.#places.find((one) => one.names === names);
    return place?.tables.storedColumns(table) ?? new Map();
  }

  /** Rows of one place with the columns of all, in one order. */
  #alike(
    { select, facts }: SearchedRows,
    { reads, table }: TableSelect,
    present: ReadonlyMap<string, ColumnType>,
  ): SearchedRows {
    const list = [
      '_time',
      ...(reads.columns.has('_id') ? ['_id'] : []),
      ...[...this.storedColumns(table.name)]
        .filter(([name]) => reads.columns.has(name))
        .map(([name, type]) => {
          const value = present.has(name) ? quotedName(name) : 'null';
          return `${value}::${STORED_TYPES[type] ?? 'VARCHAR'} as ${quotedName(name)}`;
        }),
      ...(reads.hasRest ? ['_rest'] : []),
    ];
    return { select: `select ${list.join(', ')} from (${select})`, facts };
  }
}

/** A whole number is exact among fractions. */
function joinedColumns(all: readonly ReadonlyMap<string, ColumnType>[]): ReadonlyMap<string, ColumnType> {
  const [only] = all;
  if (all.length === 1 && only) return only;
  const joined = new Map<string, ColumnType>();
  for (const [name, type] of all.flatMap((columns) => [...columns])) {
    if (joined.get(name) !== 'double') joined.set(name, type);
  }
  return joined;
}

const [EARLIEST, LATEST] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const isWithin = (one: TimeRange, other: TimeRange): boolean =>
  (one.from?.epochMilliseconds ?? EARLIEST) >= (other.from?.epochMilliseconds ?? EARLIEST) &&
  (one.to?.epochMilliseconds ?? LATEST) <= (other.to?.epochMilliseconds ?? LATEST);
