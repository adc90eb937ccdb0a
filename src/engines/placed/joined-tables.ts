// The tables of a run whose records are in several places: each place gives the rows of its tables.

import type { RunSession } from '#engines/duckdb/instance/session.ts';
import type { TimedRows } from '#engines/duckdb/reads/segment-selection.ts';
import type { ArrivingTable } from '#engines/duckdb/reads/tap.ts';
import type { WantedSlice } from '#engines/duckdb/reads/time-slices.ts';
import type { Borrowing } from '#engines/duckdb/runs/borrowing.ts';
import type { Condensing, PlannedCondensing } from '#engines/duckdb/runs/condensed-rows.ts';
import type { PlannedRead, Sources, TablesOfRun } from '#engines/duckdb/runs/tables-of-run.ts';
import type { NamelessFile } from '#files/nameless.ts';
import type { CondensedRows } from '#query/analysis/condensed-rows.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/nodes/node.ts';
import type { TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';

/** The tables of a run in one place. */
export interface PlaceOfRun {
  readonly names: ReadonlySet<string>;
  readonly tables: TablesOfRun;
}

export class JoinedTables implements TablesOfRun {
  readonly #places: readonly PlaceOfRun[];

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

  /** Rows of ClickHouse come to the node, and all that the run does with them is done there. */
  get statementsOn(): TablesOfRun['statementsOn'] {
    const isOutside = this.#places.some(({ tables, names }) => tables.statementsOn === 'node' && names.size > 0);
    return isOutside ? 'node' : 'embedded';
  }

  storedColumns(table: string): ReadonlyMap<string, ColumnType> {
    return this.#of(table).storedColumns(table);
  }

  plannedReads(sources: readonly TableSelect[], borrowing: Borrowing): readonly PlannedRead[] {
    return this.#places.flatMap(({ names, tables }) => {
      const own = sources.filter(({ table }) => names.has(table.name));
      return tables.plannedReads(own, borrowing);
    });
  }

  async condensed(rows: CondensedRows, condensing: Condensing): Promise<string | undefined> {
    return await this.#onlyPlaceOf(rows)?.condensed?.(rows, condensing);
  }

  plannedCondensed(rows: CondensedRows, condensing: PlannedCondensing): readonly PlannedRead[] | undefined {
    return this.#onlyPlaceOf(rows)?.plannedCondensed?.(rows, condensing);
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const borrowed: Sources[] = [];
    const places = new Map<TableSelect, Sources>();
    using holding = new DisposableStack();
    for (const { names, tables } of this.#places) {
      const own = sources.filter(({ table }) => names.has(table.name));
      if (own.length === 0) continue;
      const rows = holding.use(await tables.borrow(own, session, borrowing));
      borrowed.push(rows);
      for (const source of own) places.set(source, rows);
    }
    const held = holding.move();
    return {
      areFilesAlone: borrowed.every(({ areFilesAlone }) => areFilesAlone),
      measure: async () => sumOf(await Promise.all(borrowed.map((rows) => rows.measure()))),
      selectOf: (source) => places.get(source)?.selectOf(source) ?? [],
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
    return this.#of(name).arriving(name);
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

  #of(name: string): TablesOfRun {
    const place = this.#places.find(({ names }) => names.has(name));
    if (!place) throw new Error(`the run has no table ${name}`);
    return place.tables;
  }

  /** Undefined where tables of a scan are in several places. */
  #onlyPlaceOf({ scan }: CondensedRows): TablesOfRun | undefined {
    const [only, ...others] = this.#places.filter(({ names }) => scan.tables.some(({ name }) => names.has(name)));
    return others.length === 0 ? only?.tables : undefined;
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
}

const [EARLIEST, LATEST] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

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
