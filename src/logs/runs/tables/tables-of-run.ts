// The tables of a run, wherever their records are: where a statement gets the rows of its scans.

import type { NamelessFile } from '#files/nameless.ts';
import type { ArrivingTable } from '#logs/runs/arrivals/tap.ts';
import type { Instance } from '#logs/runs/duckdb/instance.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { StageRecorder } from '#logs/stage-recorder.ts';
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
import type { Borrowing } from './borrowing.ts';
import type { Condensing, Counting, PlannedCondensing } from './condensing.ts';
import type { WantedSlice } from './time-slices.ts';
import type { TimedRows } from './timed-rows.ts';

/** Rows of tables where DuckDB finds them, for as long as they are not disposed of. */
export interface Sources extends Disposable {
  /** Whether none of them is in memory. */
  readonly areFilesAlone: boolean;
  selectOf(source: TableSelect): readonly SearchedRows[];
  /** How much of them a statement looks at; null where that is not known. Costs a statement itself. */
  measure(): Promise<{ readonly rows: number | null; readonly bytes: number | null }>;
  /** The error that a failed statement is answered with, if the rows are to blame for it. */
  blamed(error: unknown): Promise<unknown>;
}

/** A statement that would bring the rows of a scan to the node. */
export interface PlannedRead {
  readonly scan: Scan;
  readonly statement: string;
}

/** What a plan is divided and compiled by, before anything runs. */
export type PlannedTables = Pick<
  TablesOfRun,
  | 'statementsOn'
  | 'storedColumns'
  | 'furtherTypes'
  | 'leafTypes'
  | 'storesNode'
  | 'rowBytes'
  | 'isCounted'
  | 'plannedReads'
  | 'plannedCondensed'
>;

type StoredForms = Pick<TablesOfRun, 'storedColumns' | 'furtherTypes' | 'leafTypes' | 'storesNode' | 'rowBytes'>;

export const columnsOf = (tables: StoredForms) => ({
  storedColumns: (table: string) => tables.storedColumns(table),
  furtherTypes: (table: string) => tables.furtherTypes?.(table) ?? new Map<string, FurtherTypes>(),
  leafTypes: (table: string) => tables.leafTypes?.(table) ?? NO_LEAF_TYPES,
  storesNode: (table: string) => tables.storesNode?.(table) ?? false,
  rowBytes: (table: string) => tables.rowBytes?.(table) ?? 0,
});

/** As they were when the run began. */
export interface TablesOfRun extends AsyncDisposable {
  /** Of tables that are encrypted, in the order of their names, and of lookups made of them. */
  readonly secret: readonly string[];
  /** Where the run happens, if its tables tell. */
  readonly instance: Instance | undefined;
  /** Where statements of DuckDB that read them run: with the records, or where rows of another engine have come to. */
  readonly statementsOn: 'embedded' | 'node';
  storedColumns(table: string): ReadonlyMap<string, ColumnType>;
  /** How values of other types than those of stored columns are stored; absent: in `_rest`. */
  furtherTypes?(table: string): ReadonlyMap<string, FurtherTypes>;
  /** How values inside of objects are stored; absent: in `_rest`. */
  leafTypes?(table: string): LeafTypes;
  /** Whether records have the node that took them in; absent: no table's have. */
  storesNode?(table: string): boolean;
  /** Bytes of one record as it came, on average of the part where they are longest; absent: not known. */
  rowBytes?(table: string): number;
  /** Statements of another engine that `borrow` would send; none where DuckDB reads the records itself. */
  plannedReads(sources: readonly TableSelect[], borrowing: Borrowing): readonly PlannedRead[];
  borrow(sources: readonly TableSelect[], session: RunSession, borrowing: Borrowing): Promise<Sources>;
  /** The part of the rest of a scan's range that has so many rows, a few times as many, or all of the rest. */
  nextSlice(scan: Scan, wanted: WantedSlice, session: RunSession): Promise<TimeRange>;
  /** Whether it is known beforehand how many rows a scan has. */
  isCounted(scan: Scan): boolean;
  /** The parts that a scan reads, as small as the groups want them; undefined where they are not known. */
  partsIn(scan: Scan, groups?: TimeGroups): Promise<readonly TimedRows[] | undefined>;
  /** Whether `borrow` can leave out parts. */
  readonly leavesOut: boolean;
  /** Rows that surely lie in the range of a scan: it hands on at least so many, if nothing ends it early. */
  certainRows(scan: Scan): bigint;
  /** All rows in the range of a scan. */
  countRows(scan: Scan, session: RunSession): Promise<bigint>;
  /** A SELECT of rows of which each stands for several of a scan, as `Condensed` has them; undefined where they cannot be had. */
  condensed?(rows: CondensedRows, condensing: Condensing): Promise<string | undefined>;
  /** Statements of another engine that `condensed` would send first; undefined where it would give nothing. */
  plannedCondensed?(rows: CondensedRows, condensing: PlannedCondensing): readonly PlannedRead[] | undefined;
  /** How many rows these are, where the store counts them without handing any over; undefined where it cannot. */
  countSelected?(rows: SelectedRows, counting: Counting): Promise<bigint | undefined>;
  /** As it is, not as it was. */
  arriving(table: string): ArrivingTable;
  /** A file for rows of the run, as secret as they are. */
  file(spillFolder: string): Promise<NamelessFile>;
}

/** What a run may use: folders, an instance, lookups. */
export interface RunContext {
  /** Tables of which nothing is held, however long the run takes. */
  readonly awaited: ReadonlySet<string>;
  /** Lookups of the run that were made of encrypted tables. */
  readonly secretLookups: readonly string[];
  /** In memory, for runs over encrypted records. */
  readonly memoryFolder: string;
  /** For files that end with the process. */
  readonly spillFolder: string;
  /** A Parquet file without a row, see `writeEmptyFile`; undefined where there is no room for it. */
  readonly emptyFile: string | undefined;
  /** An isolated instance, and a folder for the copies that it reads. */
  readonly apart?: { readonly instance: Instance; readonly folder: string } | undefined;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Told of every statement, where somebody asks. */
  readonly recorder?: StageRecorder | undefined;
}
