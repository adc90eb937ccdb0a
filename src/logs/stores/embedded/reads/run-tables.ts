// The tables of a run, as they were when it began: their records, and the sources that statements read.

import { ApiError, noMemoryLeft } from '#contract/errors.ts';
import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type { TimeRange } from '#logs/log-store.ts';
import type { ArrivingTable } from '#logs/runs/arrivals/tap.ts';
import { isExhausted } from '#logs/runs/duckdb/exhausted.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import { makeMemoryFile } from '#logs/runs/duckdb/memory-files.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { Borrowing } from '#logs/runs/tables/borrowing.ts';
import type { PlannedRead, RunContext, Sources, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { seemingMatches, sliceUpTo, type WantedSlice } from '#logs/runs/tables/time-slices.ts';
import {
  inRange,
  isReached,
  isWhollyIn,
  millisecondsOf,
  rowsOf,
  type TimedRows,
} from '#logs/runs/tables/timed-rows.ts';
import { NoRoom } from '#logs/stores/embedded/protection/decrypted-segments.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { rowBytesOf, sizedOf } from '#logs/stores/embedded/storage/record-sizes.ts';
import {
  type ReadColumns,
  recordsSource,
  type SourceFiles,
  TIMES_ALONE,
} from '#logs/stores/embedded/storage/records.ts';
import { type Borrowed, blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { HotRows, Snapshot } from '#logs/stores/embedded/storage/snapshot.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { firstColumns } from '#logs/stores/shared/columns.ts';
import { furtherTypes, leafTypes, valueTypes } from '#logs/stores/shared/known-table.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';
import type { ColumnType as ValueType } from '#query/model/values.ts';
import {
  type FurtherTypes,
  type LeafTypes,
  NO_LEAF_TYPES,
  type TableSelect,
} from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { textNeed } from '#query/rules/text-needs.ts';
import { arrivingTable } from './arrived-rows.ts';
import { closeBound } from './close-bound.ts';
import { countBetween } from './counted-between.ts';
import { rangesWithin, readParts } from './divided-ranges.ts';
import { firstOfMany, type HotSource, readsOfFirst, type TableRead, type TableRows, within } from './first-of-many.ts';
import { FreshCopies, inFolder, inMemory } from './fresh-copies.ts';
import { readsWithWords } from './fresh-words.ts';
import { filesByFacts, type KnownFiles, searchedRows } from './known-files.ts';
import { measured } from './read-sizes.ts';
import { type RowRange, segmentsOf, wholeRange } from './row-ranges.ts';
import { boundConditions, boundsOf } from './time-conditions.ts';
import { rangesThatMayMatch, rangesWithTexts, type SearchedTable } from './word-selection.ts';

interface Taken {
  readonly table: LogTable;
  readonly snapshot: Snapshot;
  /** Copies of fresh records, where the run happens on another instance than theirs. */
  readonly copies: FreshCopies;
}

/** Records that were appended before the call are among them. */
export async function openRunTables(tables: ReadonlyMap<string, LogTable>, context: RunContext): Promise<TablesOfRun> {
  for (const [name, table] of tables) if (!context.awaited.has(name)) await table.settled();
  const opened = new RunTables(tables, context);
  try {
    await opened.gather();
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  return opened;
}

export class RunTables implements TablesOfRun {
  readonly leavesOut = true;
  readonly statementsOn = 'embedded';
  readonly #tables: ReadonlyMap<string, LogTable>;
  readonly #taken: ReadonlyMap<string, Taken>;
  readonly #context: RunContext;

  /** All at the same moment. */
  constructor(tables: ReadonlyMap<string, LogTable>, context: RunContext) {
    this.#context = context;
    this.#tables = tables;
    const taken = new Map<string, Taken>();
    const read = [...tables].filter(([name]) => !context.awaited.has(name));
    try {
      for (const [name, table] of read)
        taken.set(name, { table, snapshot: table.snapshot(), copies: new FreshCopies() });
    } catch (error) {
      for (const { snapshot } of taken.values()) snapshot[Symbol.dispose]();
      throw error;
    }
    this.#taken = taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { snapshot, copies } of this.#taken.values()) {
      snapshot[Symbol.dispose]();
      await copies[Symbol.asyncDispose]();
    }
  }

  get secret(): readonly string[] {
    const tables = [...this.#tables].filter(([, table]) => table.storage.isSecret).map(([name]) => name);
    return [...tables.sort(), ...this.#context.secretLookups];
  }

  /**
   * Where the run happens, if its tables tell: encrypted records never leave the instance that does not spill to disk.
   * Where only a lookup is secret, they do not.
   */
  get instance(): Instance | undefined {
    const all = [...this.#tables.values()].map((table) => table.storage);
    const secret = all.find(({ isSecret }) => isSecret)?.instance;
    if (secret || this.#context.secretLookups.length > 0) return secret;
    return (this.#context.apart ?? all[0])?.instance;
  }

  arriving(name: string): ArrivingTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`the run has no table ${name}`);
    return arrivingTable(table);
  }

  async file(spillFolder: string): Promise<NamelessFile> {
    if (this.secret.length > 0) return await makeMemoryFile(this.#context.memoryFolder);
    await makeFolder(spillFolder);
    return await makeNamelessFile(spillFolder);
  }

  /** Copies fresh records of tables that are on another instance; refuses where the memory folder is too small for them. */
  async gather(): Promise<void> {
    if (this.secret.length === 0 && !this.#context.apart) return;
    const folder = this.secret.length === 0 ? this.#context.apart?.folder : undefined;
    const newCopy = folder === undefined ? inMemory(this.#context.memoryFolder) : inFolder(folder);
    try {
      for (const { table, snapshot, copies } of this.#taken.values()) {
        if (!table.storage.isSecret) await copies.make(snapshot.hotTables, table.storage.instance, newCopy);
      }
    } catch (cause) {
      if (this.secret.length === 0) throw cause;
      const isFull = cause instanceof NoRoom || isExhausted(cause);
      throw isFull ? Object.assign(noMemoryLeft(this.secret.join(', ')), { cause }) : cause;
    }
  }

  storedColumns(name: string): ReadonlyMap<string, ValueType> {
    const { table, snapshot } = this.#of(name);
    if (table.spec.layout === 'row') return new Map();
    return valueTypes(firstColumns(snapshot.columns));
  }

  furtherTypes(name: string): ReadonlyMap<string, FurtherTypes> {
    const { table, snapshot } = this.#of(name);
    if (table.spec.layout === 'row') return new Map();
    return furtherTypes(snapshot.columns, (field) => table.isMixed(field));
  }

  /** Of a table whose records are awaited nothing is held. */
  leafTypes(name: string): LeafTypes {
    const { table, snapshot } = this.#taken.get(name) ?? {};
    return !snapshot || table?.spec.layout === 'row' ? NO_LEAF_TYPES : leafTypes(snapshot.leaves);
  }

  /** Of a table whose records are awaited nothing is held. */
  rowBytes(name: string): number {
    const { segments = [], hotTables = [] } = this.#taken.get(name)?.snapshot ?? {};
    return [...segments.map(sizedOf), ...hotTables].reduce((most, part) => Math.max(most, rowBytesOf(part)), 0);
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources> {
    const found = new Map<TableSelect, Found>();
    const dispose = () => {
      for (const { borrowed } of found.values()) borrowed[Symbol.dispose]();
    };
    try {
      for (const read of await this.#reads(sources, session, borrowing)) {
        found.set(read.select, await this.#found(read, borrowing));
      }
    } catch (error) {
      dispose();
      throw error;
    }
    return {
      measure: () => measured([...found], session),
      areFilesAlone: found.values().every(({ hotTables }) => hotTables.length === 0),
      selectOf: (source) => {
        const { table, reads } = source;
        const rows = found.get(source) ?? { files: [], hotTables: [], where: '' };
        return searchedRows(rows, (files, hotTables) => this.#select(table.name, { ...files, hotTables }, reads));
      },
      async blamed(error) {
        for (const { table, ranges } of found.values()) {
          const cause = await blamed(error, table.storage, segmentsOf(ranges));
          if (cause instanceof ApiError) return cause;
        }
        return error;
      },
      [Symbol.dispose]: dispose,
    };
  }

  plannedReads(): readonly PlannedRead[] {
    return [];
  }

  async nextSlice(scan: Scan, wanted: WantedSlice, session: RunSession): Promise<PlanRange> {
    const { rest, rows, need } = wanted;
    const coming = { range: millisecondsOf(rest), order: scan.direction, records: rows };
    const tables = new Map<Segment, SearchedTable & { readonly table: LogTable }>();
    for (const source of scan.tables) {
      const { table, snapshot } = this.#of(source.name);
      const searched = { table, source, columns: snapshot.columns };
      for (const segment of inRange(snapshot.segments, coming.range)) tables.set(segment, searched);
    }
    const read = async (range: RowRange) => {
      const table = tables.get(range.segment)?.table;
      return table ? await readParts(range, table.storage, session) : [];
    };
    const keep = (parts: readonly RowRange[]) =>
      rangesThatMayMatch(parts, textNeed(need), ({ segment }) => tables.get(segment));
    const kept = await keep([...tables.keys()].map(wholeRange));
    const bound = await closeBound(kept, coming, read, keep);
    // A statement over many tables costs more than their records: it takes as few of them as may suffice.
    const records = seemingMatches(wanted);
    const reached = bound === undefined ? kept : kept.filter((range) => isReached(range, scan.direction, bound));
    const first = await firstOfMany(
      this.#rowsOf(scan, reached, coming.range),
      { ...coming, records, bound },
      this.#hotSource,
      session,
    );
    return sliceUpTo(scan, rest, first ? first.bound : bound);
  }

  /** Some ranges of the tables of a scan, with the fresh records. */
  #rowsOf({ tables }: Scan, some: readonly RowRange[], range: TimeRange): TableRows[] {
    const rangesOf = Map.groupBy(some, ({ segment }) => segment);
    return tables.map(({ name }) => {
      const { table, snapshot } = this.#of(name);
      const ranges = snapshot.segments.flatMap((segment) => rangesOf.get(segment) ?? []);
      return { name, table, ranges, hotTables: inRange(snapshot.hotTables, range) };
    });
  }

  isCounted(scan: Scan): boolean {
    const range = millisecondsOf(scan.range);
    return this.#partsIn(scan).every((part) => isWhollyIn(part, range));
  }

  readonly partsIn = async (scan: Scan): Promise<readonly TimedRows[]> => this.#partsIn(scan);

  /** Segments and hot tables. */
  #partsIn({ tables, range }: Scan): TimedRows[] {
    return tables.flatMap(({ name }) => {
      const { segments, hotTables } = this.#of(name).snapshot;
      return inRange<TimedRows>([...segments, ...hotTables], millisecondsOf(range));
    });
  }

  certainRows(scan: Scan): bigint {
    const within = millisecondsOf(scan.range);
    const ranges = scan.tables.flatMap(({ name }) => rangesWithin(this.#of(name).snapshot.segments, within));
    return rowsOf(ranges.filter((one) => isWhollyIn(one, within)));
  }

  /** Fresh ones are known too, unless statements may have read more of them. */
  async countRows(scan: Scan, session: RunSession): Promise<bigint> {
    const range = millisecondsOf(scan.range);
    const isPartial = (part: TimedRows) => !isWhollyIn(part, range);
    let total = 0n;
    for (const { name } of scan.tables) {
      const { table, snapshot } = this.#of(name);
      // Once: another run may come to know smaller parts meanwhile.
      const ranges = rangesWithin(snapshot.segments, range);
      const hotTables = inRange(snapshot.hotTables, range);
      const read = hotTables.filter((hot) => isPartial(hot) || snapshot.mayDiffer());
      const partial = ranges.filter(isPartial);
      total += rowsOf([...ranges, ...hotTables]) - rowsOf([...partial, ...read]);
      total += await countBetween(
        { table, range, ranges: partial, hotTables: read },
        {
          session,
          select: (files) => this.#select(name, files, TIMES_ALONE),
          metered: () => this.#context.recorder?.begin({ engine: 'embedded', planNodes: [scan] }),
        },
      );
    }
    return total;
  }

  #of(name: string): Taken {
    const taken = this.#taken.get(name);
    if (!taken) throw new Error(`the run has no table ${name}`);
    return taken;
  }

  /** What is read of each of the sources; of those of one scan that wants its first records alone, no more than these need. */
  async #reads(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<TableRead[]> {
    const reads: TableRead[] = [];
    for (const source of sources) reads.push(await this.#read(source, session, borrowing));
    const read: TableRead[] = [];
    for (const [scan, ofScan] of Map.groupBy(reads, ({ select }) => select.scan)) {
      const first = await readsOfFirst(ofScan, this.#hotSource, session);
      const need = textNeed(borrowing.needs.get(scan));
      read.push(...(need ? await readsWithWords(first, need, this.#hotSource, session) : first));
    }
    return read;
  }

  readonly #hotSource: HotSource = (table, hot) => this.#of(table).copies.sourceOf(hot);

  async #read(select: TableSelect, session: RunSession, { bounds, leftOut }: Borrowing): Promise<TableRead> {
    const { table: source, scan, first } = select;
    const { table, snapshot } = this.#of(source.name);
    const range = millisecondsOf(bounds.get(scan) ?? scan.range);
    const isUnknown = (part: TimedRows) => !leftOut?.has(part);
    const ranges = inRange(snapshot.segments, range).filter(isUnknown).map(wholeRange);
    const hotTables = inRange(snapshot.hotTables, range).filter(isUnknown);
    const wanted = { range, order: scan.direction, records: Number(first) };
    const bound =
      first === undefined
        ? undefined
        : await closeBound(ranges, wanted, (one) => readParts(one, table.storage, session));
    const stored = { layout: table.spec.layout, columns: snapshot.columns, leaves: snapshot.leaves };
    return within({ name: source.name, stored, select, table, ranges, hotTables, wanted, bound }, bound);
  }

  async #found({ select, table, ranges: candidates, hotTables, wanted, bound }: TableRead, { needs }: Borrowing) {
    const { table: source, scan, search } = select;
    const searched = { table, source, columns: this.#of(source.name).snapshot.columns };
    const sought = { need: textNeed(needs.get(scan)), times: wanted.range, ...search };
    const ranges = await rangesWithTexts(candidates, sought, searched);
    const borrowed = await table.storage.borrow(segmentsOf(ranges));
    // Also the bounds that other parts of the plan put on `_time`: only in this form do they reach the statistics of files.
    const conditions = [...boundsOf(wanted.range), ...boundConditions(wanted, bound)];
    const files = filesByFacts(ranges, borrowed.paths);
    const where = conditions.join(' and ');
    return { table, ranges, borrowed, files, hotTables, where };
  }

  #select(name: string, read: SourceFiles & Pick<Found, 'hotTables'>, reads: ReadColumns): string {
    const { table, snapshot, copies } = this.#of(name);
    const hotTables = read.hotTables.map((hot) => copies.sourceOf(hot));
    const stored = { layout: table.spec.layout, columns: snapshot.columns, leaves: snapshot.leaves };
    return recordsSource({ ...read, hotTables, emptyFile: this.#context.emptyFile }, stored, reads);
  }
}

interface Found {
  readonly table: LogTable;
  readonly ranges: readonly RowRange[];
  readonly borrowed: Borrowed;
  readonly files: readonly KnownFiles[];
  readonly hotTables: readonly HotRows[];
  /** The condition on rows; empty where there is none. */
  readonly where: string;
}
