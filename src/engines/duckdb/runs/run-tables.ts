// The tables of a run, as they were when it began: their records, and the sources that statements read.

import { ApiError, noMemoryLeft } from '#contract/errors.ts';
import { isExhausted } from '#engines/duckdb/instance/exhausted.ts';
import type { Instance } from '#engines/duckdb/instance/instance.ts';
import { makeMemoryFile } from '#engines/duckdb/instance/memory-files.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import { NoRoom } from '#engines/duckdb/protection/decrypted-segments.ts';
import { rowGroups } from '#engines/duckdb/reads/row-groups.ts';
import {
  boundFor,
  inRange,
  isWhollyIn,
  millisecondsOf,
  nearerBound,
  segmentsFor,
  type TimedRows,
  type Wanted,
} from '#engines/duckdb/reads/segment-selection.ts';
import type { Segment } from '#engines/duckdb/storage/catalog.ts';
import { VALUE_TYPES } from '#engines/duckdb/storage/known-table.ts';
import { recordsSource } from '#engines/duckdb/storage/records.ts';
import { blamed } from '#engines/duckdb/storage/segment-storage.ts';
import type { HotRows, Snapshot } from '#engines/duckdb/storage/snapshot.ts';
import type { LogTable } from '#engines/duckdb/storage/table.ts';

import type { TimeRange } from '#engines/engine.ts';
import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile, type NamelessFile } from '#files/nameless.ts';
import type { TimeRange as PlanRange } from '#query/model/times.ts';
import type { ColumnType as ValueType } from '#query/model/values.ts';
import type { TableSelect } from '#query/nodes/shared/compile-context.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { FreshCopies, inFolder, inMemory, type NewCopy } from './fresh-copies.ts';

interface Taken {
  readonly table: LogTable;
  readonly snapshot: Snapshot;
  /** Copies of fresh records, where the run happens on another instance than theirs. */
  readonly copies: FreshCopies;
}

/** Where a run may happen and put copies of fresh records. */
export interface RunPlace {
  /** Tables of which nothing is held, however long the run takes. */
  readonly awaited: ReadonlySet<string>;
  /** Lookups of the run that were made of encrypted tables. */
  readonly secretLookups: readonly string[];
  /** In memory, for runs over encrypted records. */
  readonly memoryFolder: string;
  /** An isolated instance, and a folder for the copies that it reads. */
  readonly apart?: { readonly instance: Instance; readonly folder: string } | undefined;
}

/** Segments in the places where DuckDB finds them, for as long as they are not disposed of. */
export interface Sources extends Disposable {
  /** Whether none of them is in memory. */
  readonly areFilesAlone: boolean;
  selectOf(source: TableSelect): string;
  /** The answer for a corrupt file, if one is to blame for an error. */
  blamed(error: unknown): Promise<unknown>;
}

export class RunTables implements AsyncDisposable {
  readonly #tables: ReadonlyMap<string, LogTable>;
  readonly #taken: ReadonlyMap<string, Taken>;
  readonly #place: RunPlace;

  /** All at the same moment. */
  constructor(tables: ReadonlyMap<string, LogTable>, place: RunPlace) {
    this.#place = place;
    this.#tables = tables;
    const taken = new Map<string, Taken>();
    const read = [...tables].filter(([name]) => !place.awaited.has(name));
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

  /** Of tables that are encrypted, in the order of their names, and of lookups made of them. */
  get secret(): readonly string[] {
    const tables = [...this.#tables].filter(([, table]) => table.storage.isSecret).map(([name]) => name);
    return [...tables.sort(), ...this.#place.secretLookups];
  }

  /**
   * Where the run happens, if its tables tell: encrypted records never leave the instance that does not spill to disk.
   * Where only a lookup is secret, they do not.
   */
  get instance(): Instance | undefined {
    const all = [...this.#tables.values()].map((table) => table.storage);
    const secret = all.find(({ isSecret }) => isSecret)?.instance;
    if (secret || this.#place.secretLookups.length > 0) return secret;
    return (this.#place.apart ?? all[0])?.instance;
  }

  /** As it is, not as it was. */
  table(name: string): LogTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`the run has no table ${name}`);
    return table;
  }

  /** A file for rows of the run, as secret as they are. */
  async file(spillFolder: string): Promise<NamelessFile> {
    if (this.secret.length > 0) return await makeMemoryFile(this.#place.memoryFolder);
    await makeFolder(spillFolder);
    return await makeNamelessFile(spillFolder);
  }

  /** Copies fresh records of tables that are on another instance; refuses where the memory folder is too small for them. */
  async gather(): Promise<void> {
    if (this.secret.length === 0 && !this.#place.apart) return;
    const folder = this.secret.length === 0 ? this.#place.apart?.folder : undefined;
    const newCopy = folder === undefined ? inMemory(this.#place.memoryFolder) : inFolder(folder);
    await this.#copyFresh(newCopy).catch((cause) => {
      if (this.secret.length === 0) throw cause;
      const isFull = cause instanceof NoRoom || isExhausted(cause);
      throw isFull ? Object.assign(noMemoryLeft(this.secret.join(', ')), { cause }) : cause;
    });
  }

  storedColumns(name: string): ReadonlyMap<string, ValueType> {
    const { table, snapshot } = this.#of(name);
    if (table.spec.layout === 'row') return new Map();
    return new Map([...snapshot.columns].map(([column, type]) => [column, VALUE_TYPES[type]]));
  }

  /** Nothing of `leftOut` is read. */
  async borrow(sources: readonly TableSelect[], session: RunSession, { bounds, leftOut }: Borrowing): Promise<Sources> {
    const found = new Map<TableSelect, Found>();
    const dispose = () => {
      for (const { files } of found.values()) files[Symbol.dispose]();
    };
    try {
      for (const source of sources) {
        const { scan } = source;
        const range = millisecondsOf(bounds.get(scan) ?? scan.range);
        found.set(source, await this.#found(source, { range, session, leftOut }));
      }
    } catch (error) {
      dispose();
      throw error;
    }
    return {
      areFilesAlone: found.values().every(({ hotTables }) => hotTables.length === 0),
      selectOf: (source) => {
        const { files, hotTables, where } = found.get(source) ?? { hotTables: [], where: '' };
        const select = this.#select(source.table.name, files?.paths ?? [], hotTables);
        return where === '' ? select : `select * from (${select}) where ${where}`;
      },
      async blamed(error) {
        for (const { table, selected } of found.values()) {
          const cause = await blamed(error, table.storage, selected);
          if (cause instanceof ApiError) return cause;
        }
        return error;
      },
      [Symbol.dispose]: dispose,
    };
  }

  /** The segments that a scan reads. */
  segmentsIn({ tables, range }: Scan): Segment[] {
    return tables.flatMap(({ name }) => inRange(this.#of(name).snapshot.segments, millisecondsOf(range)));
  }

  /** The segments and hot tables that a scan reads. */
  partsIn({ tables, range }: Scan): TimedRows[] {
    return tables.flatMap(({ name }) => {
      const { segments, hotTables } = this.#of(name).snapshot;
      return inRange<TimedRows>([...segments, ...hotTables], millisecondsOf(range));
    });
  }

  /** Rows of segments that lie wholly in the range of a scan: it hands on at least so many, if nothing ends it early. */
  certainRows(scan: Scan): bigint {
    const range = millisecondsOf(scan.range);
    const whole = this.segmentsIn(scan).filter((segment) => isWhollyIn(segment, range));
    return BigInt(whole.reduce((total, { rows }) => total + rows, 0));
  }

  /** The rows that `certainRows` does not count. Fresh ones are known too, unless statements may have read more of them. */
  async uncertainRows(scan: Scan, session: RunSession): Promise<bigint> {
    const range = millisecondsOf(scan.range);
    const where = boundsOf(range);
    let total = 0n;
    for (const { name } of scan.tables) {
      const { table, snapshot } = this.#of(name);
      const isPartial = (part: TimedRows) => !isWhollyIn(part, range);
      const partial = inRange(snapshot.segments, range).filter(isPartial);
      const hotTables = inRange(snapshot.hotTables, range);
      const counted = snapshot.mayHaveGrown() ? [] : hotTables.filter((hot) => !isPartial(hot));
      for (const { rows } of counted) total += BigInt(rows);
      const read = hotTables.filter((hot) => !counted.includes(hot));
      if (partial.length === 0 && read.length === 0) continue;
      using files = await table.storage.borrow(partial);
      const from = `(${this.#select(name, files.paths, read)})${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`;
      try {
        total += BigInt(String(await session.value(`select count(*) from ${from}`)));
      } catch (error) {
        throw await blamed(error, table.storage, partial);
      }
    }
    return total;
  }

  async #copyFresh(newCopy: NewCopy): Promise<void> {
    for (const { table, snapshot, copies } of this.#taken.values()) {
      if (!table.storage.isSecret) await copies.make(snapshot.hotTables, table.storage.instance, newCopy);
    }
  }

  #of(name: string): Taken {
    const taken = this.#taken.get(name);
    if (!taken) throw new Error(`the run has no table ${name}`);
    return taken;
  }

  async #found({ table: { name }, scan, first }: TableSelect, { range, session, leftOut }: Finding): Promise<Found> {
    const { table, snapshot } = this.#of(name);
    const wanted = { range, order: scan.direction, records: Number(first ?? Number.POSITIVE_INFINITY) };
    const selected = segmentsFor(snapshot.segments, wanted).filter((segment) => !leftOut?.has(segment));
    const hotTables = inRange(snapshot.hotTables, range).filter((hot) => !leftOut?.has(hot));
    const files = await table.storage.borrow(selected);
    try {
      // Also the bounds that other parts of the plan put on `_time`: only in this form do they reach the statistics of files.
      const conditions = boundsOf(range);
      if (first !== undefined) {
        const groups = inRange(await rowGroups(selected, files.paths, session), range);
        const last = boundFor(groups, wanted);
        const source = this.#select(name, files.paths, hotTables);
        const near = last === undefined ? undefined : nearerBound(groups, wanted, last);
        const isNear =
          near !== undefined && (await session.value(atLeast(source, [...conditions, upTo(scan, near)], wanted)));
        if (last !== undefined) conditions.push(upTo(scan, isNear ? near : last));
      }
      return { table, selected, files, hotTables, where: conditions.join(' and ') };
    } catch (error) {
      files[Symbol.dispose]();
      throw await blamed(error, table.storage, selected);
    }
  }

  #select(name: string, paths: readonly string[], hotTables: readonly HotRows[]): string {
    const { table, snapshot, copies } = this.#of(name);
    const fresh = hotTables.map((hot) => copies.sourceOf(hot));
    return recordsSource({ paths, hotTables: fresh }, { layout: table.spec.layout, columns: snapshot.columns });
  }
}

const upTo = ({ direction }: Scan, time: number): string =>
  `_time ${direction === 'desc' ? '>=' : '<='} epoch_ms(${time}::bigint)`;

const atLeast = (source: string, conditions: readonly string[], { records }: Wanted): string =>
  `select count(*) >= ${records} from (${source}) where ${conditions.join(' and ')}`;

/** As conditions. */
const boundsOf = ({ from, to }: TimeRange): string[] => [
  ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
  ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
];

/** What statements read of the tables of their scans. */
interface Borrowing {
  /** Ranges outside of which no row of a scan matters. */
  readonly bounds: ReadonlyMap<Scan, PlanRange>;
  /** Segments and hot tables whose rows are known. */
  readonly leftOut?: ReadonlySet<TimedRows> | undefined;
}

interface Finding extends Pick<Borrowing, 'leftOut'> {
  readonly range: TimeRange;
  readonly session: RunSession;
}

interface Found {
  readonly table: LogTable;
  readonly selected: readonly Segment[];
  readonly files: Disposable & { readonly paths: readonly string[] };
  readonly hotTables: readonly HotRows[];
  /** The condition on rows; empty where there is none. */
  readonly where: string;
}
