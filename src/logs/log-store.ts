// The interface of a log engine. Records go in as batches and are durable and visible when the promise resolves; they come
// out through a run, whose records stay readable whatever happens to their table meanwhile.

import type { Insertable } from 'kysely';
import type { Json } from '#kernel/json/canonical-json.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import type { Db } from '#store/kysely.ts';
import type { LogTableTable } from '#store/schema/schema.ts';
import type { SoughtShapes } from './leaf-shapes.ts';
import type { LookupFiles } from './lookup-files.ts';
import type { OutlineDeps, Run, RunDeps } from './run.ts';

export const LAYOUTS = ['row', 'columnar'] as const;
export type Layout = (typeof LAYOUTS)[number];

export const COMPRESSIONS = ['deflate', 'snappy'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

export interface TableSpec {
  readonly id: number;
  readonly name: string;
  readonly layout: Layout;
  readonly compression: Compression;
}

export type Fields = { readonly [name: string]: Json };

/** Fields of the service: a record's own values under these names are dropped, except its time. */
export const RESERVED = ['_id', '_time', '_table', '_node'] as const;

/** The mark of a repaired record. A record's own value is dropped under this name, too, before it gets here. */
export const REPAIRED = '_repaired';
/** Of a field; longer ones are cut. */
export const MAX_NAME_BYTES = 1024;

export const isReserved = (name: string): boolean => RESERVED.some((reserved) => reserved === name);

/** The type of a value; `other` is for values that no column holds: lists, maps, whole numbers that are not exact. */
export type FieldType = 'string' | 'long' | 'double' | 'bool' | 'null' | 'other';

/** The names of a record and the types of their values, in their order. Records that look alike may share one. */
export interface Shape {
  readonly names: readonly string[];
  readonly types: readonly FieldType[];
}

/** A record as it was sent, with the moment it belongs to. */
export interface LogRecord {
  /** Epoch milliseconds. */
  readonly time: number;
  /** A JSON object on one line, every name once, none of them reserved. */
  readonly text: string;
  readonly shape: Shape;
  /** Whether parts of it could not be stored as they were sent; it has the field `_repaired` then. */
  readonly isRepaired?: true;
}

/** A name with the type of values under it. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
}

/**
 * Records as the bytes of the lines that they came in, with the offsets of their members: there are too many of them to
 * make an object of each. Members are JSON, every name once in a record; those of the service are among them.
 */
export interface LineBatch {
  readonly count: number;
  readonly bytes: Buffer;
  /** Per record: the offset of its first byte, a brace, and the one after its line end. */
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
  /** Epoch milliseconds. */
  readonly times: Float64Array;
  /** Of each record the first of its members, and then the one behind the last of all. */
  readonly firstMembers: Uint32Array;
  /** Per member: the offset of its first byte, a quotation mark, that of its value, and the one after it. */
  readonly memberBegins: Uint32Array;
  readonly memberValues: Uint32Array;
  readonly memberEnds: Uint32Array;
  /** Per member: its index in `fields`. A `_time` of the type `long` is the time of its record, written as digits. */
  readonly memberFields: Uint16Array;
  /** Shared by the batches of a source, and only ever grows. */
  readonly fields: readonly Field[];
  /** The same as records, all of them or those from one index to before another. */
  records(from?: number, to?: number): LogRecord[];
  /** Finds offsets that are not known yet, in slices: without it the first use of one finds them all at once. */
  locate?(): Promise<void>;
  /** The same as a file, where it was made for the table that they go to. */
  readonly file?: BatchFile;
}

/** How the fields of records become columns of the files of a table. */
export interface FileColumns {
  /** By the index of a field, the number of its column, or one of `FIELD_FATES`. Nothing is learnt from it. */
  numbersOf(fields: readonly Field[]): Uint16Array<ArrayBuffer>;
  /** `FileLeaves` as JSON, as they are now. */
  readonly leaves: string;
}

/** In place of a column: not stored, stored with all that fits no column, and a column that is not there yet. */
export const FIELD_FATES = { dropped: 0, leftOver: 3, undecided: 0xffff } as const;

/** Facts of the records in a file. Times are epoch milliseconds. */
export interface BatchFileFacts {
  /** Bytes of the file. */
  readonly size: number;
  readonly rows: number;
  readonly minTime: number;
  readonly maxTime: number;
  /** Whether no record is older than the one before it. */
  readonly isSorted: boolean;
  /** Where their ids and times stand, eight bytes each. */
  readonly idsAt: number;
  readonly timesAt: number;
  /** Those that the records use, with the numbers of their columns. */
  readonly fields: readonly (Field & { readonly number: number })[];
  /** Numbers of the columns of leaves that it has; absent: none. */
  readonly leaves?: readonly number[];
}

/** The records of a batch as a Parquet file, but for their ids. */
export interface BatchFile extends BatchFileFacts {
  /** Begins with the file; there is room behind it. Its table may change all of it. */
  readonly bytes: Buffer;
  /** Of the table that it was made for. */
  readonly columns: FileColumns;
  /** Absent where no shapes were sought. */
  readonly sought?: SoughtShapes;
  /** Fields that are left over in many of its records; absent: none. */
  readonly often?: readonly { readonly name: string; readonly records: number }[];
}

/** Records in the order in which they came, some of them as batches of lines. */
export interface RecordBatch {
  readonly parts: readonly (readonly LogRecord[] | LineBatch)[];
}

export type NewRecords = readonly LogRecord[] | RecordBatch;

/** What a table holds right now. Times are epoch milliseconds; absent when it is empty. */
export interface TableStats {
  readonly rows: number;
  readonly dataBytes: number;
  readonly indexBytes: number;
  readonly minTime: number | undefined;
  readonly maxTime: number | undefined;
}

/** What a table holds of one day. */
export type DayStats = Pick<TableStats, 'rows' | 'dataBytes' | 'indexBytes'>;

/** From the first moment to the one before the second, in epoch milliseconds; absent ends are open. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** How far a source has been read. What is kept with records says that they, and all before them, are in the table. */
export interface SourceOffset {
  /** No two sources of a table have the same name, not even one after the other. */
  readonly source: string;
  /** Only ever grows. */
  readonly position: number;
}

/** What is written to the metadata store in the unit that changes a table, as the last thing in it. */
export type Alongside = (db: Db) => Promise<void>;

/** Records on their way into a table: invisible until they are committed, and then all of them visible at once. */
export interface Staging {
  /** Gives the `_id` that a record will have, by its index among these. */
  add(records: readonly LogRecord[] | LineBatch): Promise<(index: number) => number>;
  /** Resolves when the records survive a power loss and are seen by the next query, and `alongside` is written. */
  commit(alongside: Alongside): Promise<void>;
  /** Forgets the records. Does nothing after the end. */
  discard(): Promise<void>;
}

/** Sources by their names, or all whose names begin alike. */
export type SourceSelection = { readonly sources: readonly string[] } | { readonly prefix: string };

/** Where records of a table are. */
export const LOCATIONS = ['embedded', 'clickhouse'] as const;
export type Location = (typeof LOCATIONS)[number];

/** Moves of tables from one location to another. */
export interface TableMoves {
  /** Goes on in the background with a move whose row is there. */
  begin(table: TableSpec): void;
  /** Resolves when the day that is being copied is done and the move has ended. Does nothing without a move. */
  cancel(table: TableSpec): Promise<void>;
}

/** A table as it is created. */
export type NewTable = Insertable<LogTableTable>;

/**
 * Keeps the records of tables. Methods reject with `TableGone` if the table was dropped meanwhile, and with an `ApiError` if the
 * database of the records does not answer or a file is corrupt.
 */
export interface RecordStore {
  /** Inserts the row of a table together with what the engine keeps beside it, in the caller's unit. Gives its id. */
  insertTable(db: Db, table: NewTable): Promise<number>;
  /**
   * Resolves when every record survives a power loss and is seen by the next query, the offsets with them or neither. Returns the
   * `_id` of the first; the others follow. Rejects with `NoSpace` if the disk is full: nothing of the batch is kept then.
   */
  append(table: TableSpec, records: NewRecords, offsets?: readonly SourceOffset[]): Promise<number>;
  /** How far the sources of a table were read, by their names. */
  sourceOffsets(table: TableSpec): Promise<ReadonlyMap<string, number>>;
  /** Forgets sources that are read no more, in the caller's unit. */
  removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void>;
  /** Where the records of a table are. */
  locationOf(table: TableSpec): Promise<Location | 'both'>;
  /** For records that must be kept together or not at all, however many there are. A crash forgets what was staged. */
  stage(table: TableSpec): Promise<Staging>;
  /** What tables hold, fresh records included, by their ids. Nothing is counted for it: lists of thousands ask. */
  stats(tableIds: readonly number[]): Promise<ReadonlyMap<number, TableStats>>;
  /** The same of a table by its days (yyyy-MM-dd), days without records left out. Nothing is counted for it. */
  days(table: TableSpec): Promise<ReadonlyMap<string, DayStats>>;
  /** Epoch milliseconds at which a table last got records since the start of the service; undefined without any. */
  arrivedAt(tableId: number): number | undefined;
  /** Bytes of all tables together. */
  totalBytes(): Promise<number>;
  /** Removes whole days (yyyy-MM-dd), both ends included. */
  removeDays(table: TableSpec, from: string, to: string): Promise<void>;
  /** Forgets a table whose row is gone, and removes its records once no run reads them. */
  drop(table: TableSpec): Promise<void>;
  /** One round of sealing what is old, merging what is small and removing what is past its retention. */
  maintain(): Promise<void>;
  /** Resolves when the engine answers. */
  check(): Promise<void>;
  /** For batches that are to become files of a table; undefined where its records are no files. */
  fileColumns(table: TableSpec): Promise<FileColumns | undefined>;
  /** The columns of a table, as far as a plan can know them. */
  describe(table: TableSpec): Promise<KnownTable>;
  close(): Promise<void>;
}

/** A store over which queries run. */
export interface LogStore extends RecordStore {
  /** Absent if all records are in one location. */
  readonly moves?: TableMoves;
  /** Refuses where encrypted tables could not be read or written. */
  requireMemoryFolder(): void;
  /** Memory, disk and execution slots that queries and fresh records take. */
  use(): Promise<EngineUse>;
  /** Rows of stored lookups. */
  readonly lookups: LookupFiles;
  /** Begins a run over the records that are stored now. The caller disposes of it. */
  begin(parts: RunDeps): Promise<Run>;
  /** Tells the recorder what a run would do where. Nothing runs. */
  outline(parts: OutlineDeps): Promise<void>;
}

/** The disk is full: nothing of the batch was kept, and what was acknowledged before is safe. */
export class NoSpace extends Error {}

/** Memory or disk did not suffice for what a query needs. */
export class Exhausted extends Error {
  /** Whether it may be tried again, apart from other queries. */
  readonly isMovable: boolean;
  readonly resource: 'memory' | 'disk';

  constructor(
    message: string,
    {
      cause,
      isMovable,
      resource = 'memory',
    }: { cause?: unknown; isMovable: boolean; resource?: Exhausted['resource'] },
  ) {
    super(message, { cause });
    this.isMovable = isMovable;
    this.resource = resource;
  }
}

/** A statement of a query took longer than a setting allows. */
export class TimeExceeded extends Error {}

/** The local evaluator takes too long for the rows of a statement: the run begins again with local threads. */
export class LocalBudgetExceeded extends Error {}

/** All slots for long runs are taken: the run begins again as a long one when one of them is free. */
export class Preempted extends Error {}

/** Resources that queries hold right now. */
export interface EngineUse {
  readonly memoryBytes: number;
  /** Bytes spilled to disk. */
  readonly diskBytes: number;
  /** Statements and batches that hold an execution slot. */
  readonly running: number;
  readonly waiting: number;
}

/** The table was dropped meanwhile. */
export class TableGone extends Error {}
