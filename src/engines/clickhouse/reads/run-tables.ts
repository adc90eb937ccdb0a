// The tables of a run whose records are on ClickHouse: it gives the rows of a scan between times, once in a run, and DuckDB goes on
// with them. What had arrived when the run began is read, without uploads that were open then.

import { recordsRemoved } from '#contract/errors.ts';
import type { ParamValue } from '#engines/clickhouse/server/params.ts';
import type { HiddenRows } from '#engines/clickhouse/storage/catalog.ts';
import { tableName } from '#engines/clickhouse/storage/layout.ts';
import type { Reading } from '#engines/clickhouse/storage/readers.ts';
import type { Shards } from '#engines/clickhouse/storage/shards.ts';
import type { ClickhouseTable } from '#engines/clickhouse/storage/table.ts';
import { visibleCondition } from '#engines/clickhouse/storage/visibility.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import { storedBatches } from '#engines/duckdb/reads/arrived-rows.ts';
import { NO_FACTS } from '#engines/duckdb/reads/known-texts.ts';
import { millisecondsOf, type TimedRows } from '#engines/duckdb/reads/segment-selection.ts';
import type { ArrivingTable } from '#engines/duckdb/reads/tap.ts';
import { sliceUpTo, type WantedSlice } from '#engines/duckdb/reads/time-slices.ts';
import type { Borrowing } from '#engines/duckdb/runs/borrowing.ts';
import type { Condensing as Condensed, PlannedCondensing } from '#engines/duckdb/runs/condensed-rows.ts';
import type { PlannedRead, RunPlace, Sources, TablesOfRun } from '#engines/duckdb/runs/tables-of-run.ts';
import type { Columns } from '#engines/duckdb/storage/columns.ts';
import { VALUE_TYPES } from '#engines/duckdb/storage/known-table.ts';
import { TableGone } from '#engines/engine.ts';
import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type { CondensedRows } from '#query/analysis/condensed-rows.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/nodes/node.ts';
import type { StoredReads, TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { Condensing } from './condensing.ts';
import { bytesOf, rowsIn } from './fetched-rows.ts';
import { type Fetched, isSame, piecesOf, serves, type Wanted } from './fetches.ts';
import { pushedFilter } from './pushed-filter.ts';
import { ShardStatements, type StatementLimits } from './shard-statements.ts';
import { allOf, conditionOf, recordsSelect, selectList } from './stored-rows.ts';
import { type Asked, askStatement, fetchStatement, wantedOf } from './table-statements.ts';

interface RunTablesDeps {
  readonly shards: Shards;
  readonly tables: ReadonlyMap<string, ClickhouseTable>;
  /** Of tables by their ids. */
  readonly hidden: ReadonlyMap<number, HiddenRows>;
  /** The last arrival that the run sees. */
  readonly until: number;
  readonly place: RunPlace;
  readonly limits: StatementLimits;
  /** By the names of tables: they keep the rows of these until the run has ended. */
  readonly readings: ReadonlyMap<string, Reading>;
}

/** A table as it was when the run began. */
interface Taken {
  readonly table: ClickhouseTable;
  /** Those that records are stored under; none in a table of the layout of rows. */
  readonly columns: Columns;
  readonly storedColumns: ReadonlyMap<string, ColumnType>;
  readonly reading: Reading | undefined;
  readonly where: { readonly text: string; readonly params: Readonly<Record<string, ParamValue>> };
  readonly fetched: Fetched[];
}

/** Their rows are read on the main thread. */
const MAX_PARTS = 20_000;

const NO_COLUMNS: StoredReads = { columns: new Set(), hasRest: false };

export class ClickhouseRunTables implements TablesOfRun {
  readonly leavesOut = false;
  readonly statementsOn = 'node';
  readonly secret: readonly string[] = [];
  readonly #deps: RunTablesDeps;
  readonly #taken: ReadonlyMap<string, Taken>;
  readonly #statements: ShardStatements;
  readonly #condensing = new Condensing({
    table: (name) => {
      const { table, columns, where } = this.#of(name);
      return { stored: { id: table.spec.id, columns }, where };
    },
    fetch: (name, statement, asked) => this.#statements.files(name, statement, asked),
  });

  constructor(deps: RunTablesDeps) {
    this.#deps = deps;
    this.#statements = new ShardStatements({ ...deps, requireWhole: (name) => this.#requireWhole(name) });
    this.#taken = new Map(
      [...deps.tables].map(([name, table]) => {
        const hidden = deps.hidden.get(table.spec.id);
        if (!hidden) throw new TableGone(name);
        const where = visibleCondition(hidden, deps.until);
        const columns: Columns = table.spec.layout === 'row' ? new Map() : table.columns;
        const storedColumns = new Map([...columns].map(([column, type]) => [column, VALUE_TYPES[type]]));
        return [name, { table, columns, storedColumns, reading: deps.readings.get(name), where, fetched: [] }];
      }),
    );
  }

  get instance() {
    return this.#deps.place.apart?.instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reading of this.#deps.readings.values()) reading[Symbol.dispose]();
    await this.#condensing[Symbol.asyncDispose]();
    for (const { fetched } of this.#taken.values()) {
      for (const outcome of await Promise.allSettled(fetched.map(({ files }) => files))) {
        if (outcome.status === 'fulfilled') for (const file of outcome.value) await file[Symbol.asyncDispose]();
      }
    }
  }

  async condensed(rows: CondensedRows, asked: Condensed): Promise<string | undefined> {
    return await this.#condensing.select(rows, asked);
  }

  plannedCondensed(rows: CondensedRows, asked: PlannedCondensing): readonly PlannedRead[] | undefined {
    return this.#condensing.planned(rows, asked)?.map((statement) => ({ scan: rows.scan, statement }));
  }

  storedColumns(name: string) {
    return this.#of(name).storedColumns;
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const selects = new Map<TableSelect, string>();
    const read = new Set<NamelessFile>();
    for (const source of sources) {
      const { table, scan, reads } = source;
      const wanted = wantedOf(source, this.#of(table.name).columns, borrowing);
      const fetched = this.#fetched(table.name, wanted, { scan, session });
      const files = await fetched.files;
      for (const file of files) read.add(file);
      const select = recordsSelect(files, this.#of(table.name).columns, reads);
      const isWhole = isSame(fetched.range, wanted.range);
      selects.set(source, isWhole ? select : `select * from (${select}) where ${conditionOf(wanted.range)}`);
    }
    return {
      areFilesAlone: false,
      measure: async () => ({ rows: await rowsIn([...read], session), bytes: await bytesOf([...read]) }),
      selectOf: (source) => [{ select: selects.get(source) ?? '', facts: NO_FACTS }],
      blamed: async (error) => error,
      [Symbol.dispose]() {},
    };
  }

  plannedReads(sources: readonly TableSelect[], borrowing: Borrowing): readonly PlannedRead[] {
    return sources.map((source) => {
      const seen = this.#of(source.table.name);
      return { scan: source.scan, statement: fetchStatement(seen, wantedOf(source, seen.columns, borrowing)).text };
    });
  }

  /** Of rows that may matter: those that ClickHouse leaves out are not counted. */
  async nextSlice(scan: Scan, { rest, rows, need }: WantedSlice): Promise<PlanRange> {
    const bounds: number[] = [];
    for (const source of scan.tables) {
      const filter = pushedFilter(need, { source, columns: this.#of(source.name).columns });
      const order = `order by _time ${scan.direction} limit 1 offset ${rows - 1}`;
      const asked = { what: '_time', range: millisecondsOf(rest), filter, tail: order };
      const found = await this.#ask(scan, source.name, asked);
      bounds.push(...found.map(([time]) => Number(time)));
    }
    const nearest = scan.direction === 'desc' ? Math.max(...bounds) : Math.min(...bounds);
    return sliceUpTo(scan, rest, bounds.length === 0 ? undefined : nearest);
  }

  /** ClickHouse is not asked beforehand. */
  isCounted(): boolean {
    return false;
  }

  /** Counted by ClickHouse, in steps of time. */
  async partsIn(scan: Scan, groups?: TimeGroups): Promise<readonly TimedRows[] | undefined> {
    const range = millisecondsOf(scan.range);
    const tail = groups && `group by intDiv(_time, ${groups.step}) order by min(_time) limit ${MAX_PARTS + 1}`;
    const parts: TimedRows[] = [];
    for (const { name } of scan.tables) {
      const found = await this.#ask(scan, name, { what: 'min(_time), max(_time), count()', range, tail });
      for (const [minTime, maxTime, rows] of found.map((row) => row.map(Number))) {
        if (minTime !== undefined && maxTime !== undefined && rows) parts.push({ minTime, maxTime, rows });
      }
      if (parts.length > MAX_PARTS) return undefined;
    }
    return parts;
  }

  certainRows(): bigint {
    return 0n;
  }

  /** Rows that the run has fetched count as they were then. */
  async countRows(scan: Scan, session: RunSession): Promise<bigint> {
    const range = millisecondsOf(scan.range);
    let total = 0n;
    for (const { name } of scan.tables) {
      const { columns, fetched } = this.#of(name);
      const pieces = piecesOf(range, fetched);
      if (!pieces) {
        for (const [count] of await this.#ask(scan, name, { what: 'count()', range })) total += BigInt(Number(count));
        continue;
      }
      for (const { of, range: piece } of pieces) {
        const select = recordsSelect(await of.files, columns, NO_COLUMNS);
        total += BigInt(String(await session.value(`select count(*) from (${select}) where ${conditionOf(piece)}`)));
      }
    }
    return total;
  }

  arriving(name: string): ArrivingTable {
    const { table } = this.#of(name);
    return {
      name,
      listen: ({ appended, committed }) =>
        table.arrivals.listen({
          appended,
          committed: (upload) =>
            committed({ batches: (deps) => this.#uploaded(table, upload, deps), [Symbol.dispose]() {} }),
        }),
    };
  }

  async file(spillFolder: string): Promise<NamelessFile> {
    await makeFolder(spillFolder);
    return await makeNamelessFile(spillFolder);
  }

  async *#uploaded(table: ClickhouseTable, upload: number, deps: Parameters<typeof storedBatches>[2]) {
    const { spec, columns } = table;
    const reads = allOf(columns);
    const from = `select ${selectList(columns, reads)} from ${tableName(spec.id)} where _upload = {upload:UInt64}`;
    const files = await this.#statements.fetch(from, { params: { upload } });
    try {
      yield* storedBatches(recordsSelect(files, columns, reads), { spec, columns }, deps);
    } finally {
      for (const file of files) await file[Symbol.asyncDispose]();
    }
  }

  /** What was fetched already and has all of the range, or a new one. */
  #fetched(name: string, wanted: Wanted, { scan, session }: { scan: Scan; session: RunSession }): Fetched {
    const taken = this.#of(name);
    const { fetched } = taken;
    const known = fetched.find((one) => serves(one, wanted));
    if (known) return known;
    const { text, params } = fetchStatement(taken, wanted);
    const files = this.#statements.files(name, text, { params, settings: {}, nodes: [scan], session });
    files.catch(() => undefined);
    const made = { ...wanted, files };
    fetched.push(made);
    return made;
  }

  /** Of rows of a table between times, on all shards. */
  async #ask(scan: Scan, name: string, asked: Asked) {
    return await this.#statements.rows(name, askStatement(this.#of(name), asked), [scan]);
  }

  /** Records that are removed are gone at once: rows that are read after it would be too few. */
  #requireWhole(name: string): void {
    if (!this.#of(name).reading?.isWhole) throw recordsRemoved(name);
  }

  #of(name: string): Taken {
    const taken = this.#taken.get(name);
    if (!taken) throw new Error(`the run has no table ${name}`);
    return taken;
  }
}
