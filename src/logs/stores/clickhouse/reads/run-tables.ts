// The tables of a run whose records are on ClickHouse: it gives the rows of a scan between times, once in a run, and DuckDB goes on
// with them. What had arrived when the run began is read, without uploads that were open then.

import { recordsRemoved } from '#contract/errors.ts';
import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { ArrivingTable } from '#logs/runs/arrivals/tap.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { Borrowing } from '#logs/runs/tables/borrowing.ts';
import type { Condensing as Condensed, Counting, PlannedCondensing } from '#logs/runs/tables/condensing.ts';
import type { PlannedRead, RunContext, Sources, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { seemingMatches, sliceUpTo, type WantedSlice } from '#logs/runs/tables/time-slices.ts';
import { millisecondsOf, type TimedRows } from '#logs/runs/tables/timed-rows.ts';
import type { Share } from '#logs/stage-recorder.ts';
import type { Reading } from '#logs/stores/clickhouse/storage/readers.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import { NO_FACTS } from '#logs/stores/embedded/reads/known-texts.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import { valueTypes } from '#logs/stores/shared/known-table.ts';
import type { CondensedRows, SelectedRows } from '#query/analysis/condensed-rows.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { TimeGroups } from '#query/plan-nodes/plan-node.ts';
import type { StoredReads, TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan, TableSource } from '#query/plan-nodes/shared/scans.ts';
import { chosenSelect } from './chosen-select.ts';
import type { StoredTable } from './condensed-select.ts';
import { Condensing, isTooMany } from './condensing.ts';
import { bytesOf, rowsIn } from './fetched-rows.ts';
import { covers, type Fetched, isSame, piecesOf, serves, type Wanted } from './fetches.ts';
import { pushedFilter } from './pushed-filter.ts';
import { ScanCounts } from './scan-counts.ts';
import { type SeenTable, ShardStatements, type StatementLimits } from './shard-statements.ts';
import { conditionOf, recordsSelect } from './stored-rows.ts';
import { type Asked, asking, fetching, fetchStatement, wantedOf } from './table-statements.ts';

interface RunTablesDeps {
  readonly shards: Shards;
  readonly tables: ReadonlyMap<string, ReadTable>;
  readonly context: RunContext;
  readonly limits: StatementLimits;
}

export interface ReadTable extends SeenTable {
  readonly spec: Pick<TableSpec, 'id' | 'name' | 'layout' | 'compression'>;
  readonly columns: Columns;
  /** Keeps these records until the run has ended. */
  readonly reading: Reading;
  /** Whether some of them were removed all the same. */
  isCutShort?(): Promise<boolean>;
  /** Tells of records that arrive; absent where nothing that arrives is read. */
  listen?(statements: ShardStatements, listener: Parameters<ArrivingTable['listen']>[0]): Disposable;
}

/** A table as it was when the run began. */
interface Taken {
  readonly table: ReadTable;
  /** Those that records are stored under; none in a table of the layout of rows. */
  readonly columns: Columns;
  readonly storedColumns: ReadonlyMap<string, ColumnType>;
  readonly where: Condition;
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
  readonly #counts = new ScanCounts((scan, name, range) => this.#ask(scan, name, { what: 'count()', range }));
  readonly #condensing = new Condensing({
    isOneServer: () => this.#deps.shards.all.length === 1,
    table: (name) => {
      const { table, columns, where } = this.#of(name);
      return { stored: { id: table.spec.id, columns }, where };
    },
    fetch: (name, statement, asked) => this.#statements.files(name, statement, asked),
    rows: (name, statement, nodes) => this.#statements.rows(name, statement, { planNodes: nodes, share: 'stages' }),
  });

  constructor(deps: RunTablesDeps) {
    this.#deps = deps;
    this.#statements = new ShardStatements({
      ...deps,
      table: (name) => this.#of(name).table,
      requireWhole: (name) => this.#requireWhole(name),
    });
    this.#taken = new Map(
      [...deps.tables].map(([name, table]) => {
        const columns: Columns = table.spec.layout === 'row' ? new Map() : table.columns;
        const storedColumns = valueTypes(columns);
        return [name, { table, columns, storedColumns, where: table.where, fetched: [] }];
      }),
    );
  }

  get instance() {
    return this.#deps.context.apart?.instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { reading } of this.#deps.tables.values()) reading[Symbol.dispose]();
    await this.#condensing[Symbol.asyncDispose]();
    await this.#counts[Symbol.asyncDispose]();
    for (const { fetched } of this.#taken.values()) {
      for (const outcome of await Promise.allSettled(fetched.map(({ files }) => files))) {
        if (outcome.status === 'fulfilled') for (const file of outcome.value) await file[Symbol.asyncDispose]();
      }
    }
  }

  async condensed(rows: CondensedRows, asked: Condensed): Promise<string | undefined> {
    const selecting = this.#condensing.select(rows, asked);
    if (rows.conditions.length > 0 && this.#condensing.planned(rows, asked)) this.#counts.begin(rows.scan);
    return await selecting;
  }

  plannedCondensed(rows: CondensedRows, asked: PlannedCondensing): readonly PlannedRead[] | undefined {
    return this.#condensing.planned(rows, asked)?.map((statement) => ({ scan: rows.scan, statement }));
  }

  /** Rows that the run has fetched are counted there. */
  async countSelected(rows: SelectedRows, counting: Counting): Promise<bigint | undefined> {
    const range = millisecondsOf(counting.range);
    const isFetched = ({ name }: TableSource) =>
      this.#of(name).fetched.some((one) => one.first === '' && covers(one.range, range));
    return rows.scan.tables.some(isFetched) ? undefined : await this.#condensing.count(rows, counting);
  }

  readonly storesNode = () => true;

  storedColumns(name: string) {
    return this.#of(name).storedColumns;
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const selects = new Map<TableSelect, string>();
    const read = new Set<NamelessFile>();
    for (const source of sources) {
      const { table, scan, reads } = source;
      const wanted = wantedOf(source, this.#stored(source), borrowing);
      const chosen = wanted.instead && borrowing.chosen.get(scan);
      const fetched = this.#fetched(table.name, wanted, { scan, session });
      if (chosen && (wanted.isOfEach || chosen.conditions.length > 0)) this.#counts.begin(scan);
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
      const wanted = wantedOf(source, this.#stored(source), borrowing);
      return { scan: source.scan, statement: fetchStatement(this.#of(source.table.name), wanted).text };
    });
  }

  /** Of rows that may matter: those that ClickHouse leaves out are not counted. */
  async nextSlice(scan: Scan, { rest, rows, need, chosen, left, facts }: WantedSlice): Promise<PlanRange> {
    const isChosen = (table: TableSource) => chosen && chosenSelect(chosen, this.#stored({ table }), facts);
    if (scan.tables.every(isChosen)) return rest;
    // The count of all is cheaper than that of rows behind a filter, and needed in any case.
    if (left === undefined && (await this.#counts.all(scan, millisecondsOf(rest))) <= BigInt(rows)) return rest;
    const bounds: number[] = [];
    for (const source of scan.tables) {
      const filter = pushedFilter(need, { source, columns: this.#of(source.name).columns });
      const order = `order by _time ${scan.direction} limit 1 offset ${(filter ? seemingMatches({ rows, left }) : rows) - 1}`;
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
    // Any time of the range stands for all where they are not divided: the count alone is known without reading records.
    const time = range.from ?? (range.to ?? 1) - 1;
    const what = groups ? 'min(_time), max(_time), count()' : `${time}, ${time}, count()`;
    const parts: TimedRows[] = [];
    for (const { name } of scan.tables) {
      const found = await this.#ask(scan, name, { what, range, tail }, 'stages');
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
        total += await this.#counts.of(scan, name, range);
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
      listen: (listener) => {
        if (!table.listen) throw new Error(`nothing arrives in ${name}`);
        return table.listen(this.#statements, listener);
      },
    };
  }

  async file(spillFolder: string): Promise<NamelessFile> {
    await makeFolder(spillFolder);
    return await makeNamelessFile(spillFolder);
  }

  /** What was fetched already and has all of the range, or a new one. */
  #fetched(name: string, wanted: Wanted, { scan, session }: { scan: Scan; session: RunSession }): Fetched {
    const taken = this.#of(name);
    const { fetched } = taken;
    const known = fetched.find((one) => serves(one, wanted));
    if (known) return known;
    const fetch = (some: Wanted) => {
      const share = some.first !== '' ? 'stages' : some.filter ? 'filter' : 'rows';
      return this.#statements.files(name, fetching(taken, some), { settings: {}, planNodes: [scan], share, session });
    };
    const files = fetch(wanted).catch((error: unknown) => {
      if (!wanted.instead || !isTooMany(error)) throw error;
      return fetch({ ...wanted, ...wanted.instead });
    });
    files.catch(() => undefined);
    const made = { ...wanted, files };
    fetched.push(made);
    return made;
  }

  /** Of rows of a table between times, on all shards. */
  async #ask(scan: Scan, name: string, asked: Asked, share: Share = asked.filter ? 'filter' : 'rows') {
    return await this.#statements.rows(name, asking(this.#of(name), asked), { planNodes: [scan], share });
  }

  /** Records that are removed are gone at once: rows that are read after it would be too few. */
  async #requireWhole(name: string): Promise<void> {
    const { table } = this.#of(name);
    if (!table.reading.isWhole || (await table.isCutShort?.())) throw recordsRemoved(name);
  }

  #stored({ table: source }: Pick<TableSelect, 'table'>): StoredTable {
    const { table, columns } = this.#of(source.name);
    return { id: table.spec.id, columns, source };
  }

  #of(name: string): Taken {
    const taken = this.#taken.get(name);
    if (!taken) throw new Error(`the run has no table ${name}`);
    return taken;
  }
}
