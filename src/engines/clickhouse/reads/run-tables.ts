// The tables of a run whose records are on ClickHouse: it gives the rows of a scan between times, once in a run, and DuckDB goes on
// with them. What had arrived when the run began is read, without uploads that were open then.

import { recordsRemoved } from '#contract/errors.ts';
import { answered } from '#engines/clickhouse/server/failures.ts';
import type { ParamValue } from '#engines/clickhouse/server/params.ts';
import type { HiddenRows } from '#engines/clickhouse/storage/catalog.ts';
import { tableName } from '#engines/clickhouse/storage/layout.ts';
import type { Shards } from '#engines/clickhouse/storage/shards.ts';
import type { ClickhouseTable } from '#engines/clickhouse/storage/table.ts';
import { type Condition, visibleCondition } from '#engines/clickhouse/storage/visibility.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import { storedBatches } from '#engines/duckdb/reads/arrived-rows.ts';
import { NO_FACTS } from '#engines/duckdb/reads/known-texts.ts';
import { millisecondsOf, type TimedRows } from '#engines/duckdb/reads/segment-selection.ts';
import type { ArrivingTable } from '#engines/duckdb/reads/tap.ts';
import { sliceUpTo, type WantedSlice } from '#engines/duckdb/reads/time-slices.ts';
import type { Borrowing } from '#engines/duckdb/runs/borrowing.ts';
import type { Condensing as Asked } from '#engines/duckdb/runs/condensed-rows.ts';
import type { RunPlace, Sources, TablesOfRun } from '#engines/duckdb/runs/tables-of-run.ts';
import type { Columns } from '#engines/duckdb/storage/columns.ts';
import { VALUE_TYPES } from '#engines/duckdb/storage/known-table.ts';
import { TableGone, type TimeRange } from '#engines/engine.ts';
import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type { CondensedRows } from '#query/analysis/condensed-rows.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/nodes/node.ts';
import type { StoredReads, TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { Condensing } from './condensing.ts';
import { FetchBudget, fetchRows } from './fetched-rows.ts';
import { type Fetched, isSame, piecesOf, serves, type Wanted } from './fetches.ts';
import { pushedFilter } from './pushed-filter.ts';
import { allOf, boundsOf, conditionOf, rangeParams, recordsSelect, selectList } from './stored-rows.ts';

/** How statements on ClickHouse are bounded. */
export interface StatementLimits {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly deadline: Temporal.Duration;
  /** Of all rows that a run fetches. */
  readonly maxBytes: number;
}

interface RunTablesDeps {
  readonly shards: Shards;
  readonly tables: ReadonlyMap<string, ClickhouseTable>;
  /** Of tables by their ids. */
  readonly hidden: ReadonlyMap<number, HiddenRows>;
  /** The last arrival that the run sees. */
  readonly until: number;
  readonly place: RunPlace;
  readonly limits: StatementLimits;
  /** Keeps the rows of the tables until the run has ended. */
  readonly reading: Disposable;
}

/** A table as it was when the run began. */
interface Taken {
  readonly table: ClickhouseTable;
  /** Those that records are stored under; none in a table of the layout of rows. */
  readonly columns: Columns;
  readonly storedColumns: ReadonlyMap<string, ColumnType>;
  readonly removals: number;
  readonly where: { readonly text: string; readonly params: Readonly<Record<string, ParamValue>> };
  readonly fetched: Fetched[];
}

interface AskedRows {
  readonly range: TimeRange;
  readonly filter?: Condition | undefined;
  readonly tail?: string | undefined;
}

/** Their rows are read on the main thread. */
const MAX_PARTS = 20_000;

const NO_COLUMNS: StoredReads = { columns: new Set(), hasRest: false };

export class ClickhouseRunTables implements TablesOfRun {
  readonly leavesOut = false;
  readonly secret: readonly string[] = [];
  readonly #deps: RunTablesDeps;
  readonly #taken: ReadonlyMap<string, Taken>;
  readonly #budget: FetchBudget;
  readonly #condensing = new Condensing({
    table: (name) => {
      const { table, columns, where } = this.#of(name);
      return { stored: { id: table.spec.id, columns }, where };
    },
    fetch: (name, statement, { params, settings }) => {
      const options = this.#fetchOptions(params);
      const fetching = { ...options, settings: { ...options.settings, ...settings } };
      return this.#wholeFiles(name, fetchRows(this.#deps.shards, statement, fetching));
    },
  });

  constructor(deps: RunTablesDeps) {
    this.#deps = deps;
    this.#budget = new FetchBudget(deps.limits.maxBytes);
    this.#taken = new Map(
      [...deps.tables].map(([name, table]) => {
        const hidden = deps.hidden.get(table.spec.id);
        if (!hidden) throw new TableGone(name);
        const where = visibleCondition(hidden, deps.until);
        const columns: Columns = table.spec.layout === 'row' ? new Map() : table.columns;
        const storedColumns = new Map([...columns].map(([column, type]) => [column, VALUE_TYPES[type]]));
        return [name, { table, columns, storedColumns, removals: table.readers.removals, where, fetched: [] }];
      }),
    );
  }

  get instance() {
    return this.#deps.place.apart?.instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#deps.reading[Symbol.dispose]();
    await this.#condensing[Symbol.asyncDispose]();
    for (const { fetched } of this.#taken.values()) {
      for (const outcome of await Promise.allSettled(fetched.map(({ files }) => files))) {
        if (outcome.status === 'fulfilled') for (const file of outcome.value) await file[Symbol.asyncDispose]();
      }
    }
  }

  async condensed(rows: CondensedRows, asked: Asked): Promise<string | undefined> {
    return await this.#condensing.select(rows, asked);
  }

  storedColumns(name: string) {
    return this.#of(name).storedColumns;
  }

  async borrow(sources: readonly TableSelect[], _session: RunSession, { bounds, needs }: Borrowing): Promise<Sources> {
    const selects = new Map<TableSelect, string>();
    for (const source of sources) {
      const range = millisecondsOf(bounds.get(source.scan) ?? source.scan.range);
      const { reads, first: rows, scan, table } = source;
      const first = rows === undefined ? '' : `order by _time ${scan.direction} limit ${rows} with ties`;
      const { columns } = this.#of(table.name);
      const filter = rows === undefined ? pushedFilter(needs.get(scan), { source: table, columns }) : undefined;
      const { range: read, files } = this.#fetched(table.name, { range, first, reads, filter });
      const select = recordsSelect(await files, columns, reads);
      selects.set(source, isSame(read, range) ? select : `select * from (${select}) where ${conditionOf(range)}`);
    }
    return {
      areFilesAlone: false,
      selectOf: (source) => [{ select: selects.get(source) ?? '', facts: NO_FACTS }],
      blamed: async (error) => error,
      [Symbol.dispose]() {},
    };
  }

  /** Of rows that may matter: those that ClickHouse leaves out are not counted. */
  async nextSlice(scan: Scan, { rest, rows, need }: WantedSlice): Promise<PlanRange> {
    const bounds: number[] = [];
    for (const source of scan.tables) {
      const filter = pushedFilter(need, { source, columns: this.#of(source.name).columns });
      const order = `order by _time ${scan.direction} limit 1 offset ${rows - 1}`;
      const found = await this.#ask(source.name, `_time`, { range: millisecondsOf(rest), filter, tail: order });
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
  async partsIn({ tables, range }: Scan, groups?: TimeGroups): Promise<readonly TimedRows[] | undefined> {
    const wanted = millisecondsOf(range);
    const tail = groups && `group by intDiv(_time, ${groups.step}) order by min(_time) limit ${MAX_PARTS + 1}`;
    const parts: TimedRows[] = [];
    for (const { name } of tables) {
      const found = await this.#ask(name, 'min(_time), max(_time), count()', { range: wanted, tail });
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
  async countRows({ tables, range }: Scan, session: RunSession): Promise<bigint> {
    const wanted = millisecondsOf(range);
    let total = 0n;
    for (const { name } of tables) {
      const { columns, fetched } = this.#of(name);
      const pieces = piecesOf(wanted, fetched);
      if (!pieces) {
        for (const [count] of await this.#ask(name, 'count()', { range: wanted })) total += BigInt(Number(count));
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
    const files = await fetchRows(this.#deps.shards, from, this.#fetchOptions({ upload }));
    try {
      yield* storedBatches(recordsSelect(files, columns, reads), { spec, columns }, deps);
    } finally {
      for (const file of files) await file[Symbol.asyncDispose]();
    }
  }

  /** What was fetched already and has all of the range, or a new one. */
  #fetched(name: string, wanted: Wanted): Fetched {
    const { table, columns, where, fetched } = this.#of(name);
    const known = fetched.find((one) => serves(one, wanted));
    if (known) return known;
    const { range, first, reads, filter } = wanted;
    const conditions = [where.text, ...boundsOf(range), ...(filter ? [filter.text] : [])].join(' and ');
    const select = `select ${selectList(columns, reads)} from ${tableName(table.spec.id)} where ${conditions} ${first}`;
    const params = { ...where.params, ...rangeParams(range), ...filter?.params };
    const files = this.#wholeFiles(name, fetchRows(this.#deps.shards, select, this.#fetchOptions(params)));
    files.catch(() => undefined);
    const made = { ...wanted, files };
    fetched.push(made);
    return made;
  }

  /** Of rows of a table between times, on all shards. */
  async #ask(name: string, what: string, { range, filter, tail = '' }: AskedRows) {
    const { table, where } = this.#of(name);
    const conditions = [where.text, ...boundsOf(range), ...(filter ? [filter.text] : [])].join(' and ');
    const statement = `select ${what} from ${tableName(table.spec.id)} where ${conditions} ${tail}`;
    const { settings, deadline } = this.#deps.limits;
    const { signal } = this.#deps.place;
    const params = { ...where.params, ...rangeParams(range), ...filter?.params };
    return await this.#whole(name, answered(this.#deps.shards.rows(statement, { params, settings, deadline, signal })));
  }

  /** Records that are removed are gone at once: rows that are read after it would be too few. */
  async #whole<T>(name: string, reading: Promise<T>): Promise<T> {
    const read = await reading;
    const { table, removals } = this.#of(name);
    if (table.readers.removals !== removals) throw recordsRemoved(name);
    return read;
  }

  /** Files that are not used are closed: an open one that is forgotten ends the process. */
  async #wholeFiles(name: string, fetching: Promise<readonly NamelessFile[]>): Promise<readonly NamelessFile[]> {
    const files = await fetching;
    try {
      return await this.#whole(name, fetching);
    } catch (error) {
      for (const file of files) await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  #fetchOptions(params: Readonly<Record<string, ParamValue>>) {
    const { limits, place } = this.#deps;
    const { settings, deadline } = limits;
    return { params, settings, deadline, signal: place.signal, folder: place.spillFolder, take: this.#budget.take };
  }

  #of(name: string): Taken {
    const taken = this.#taken.get(name);
    if (!taken) throw new Error(`the run has no table ${name}`);
    return taken;
  }
}
