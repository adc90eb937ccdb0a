// What a node does outside of its query. A node declares its effect, and a run carries out effects by their kinds without
// knowing the node: a kind that is not among these does not compile, and neither does a run without a service that some
// effect is opened with.

import type { Column } from '#query/model/columns.ts';
import type { Duration } from '#query/model/durations.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { LookupName } from './shared/lookup-rows.ts';
import type { WebAnswer, WebRequest } from './shared/web.ts';

/** `S`: the services that it is opened with; a run has those of all nodes. */
export type Effect<S = unknown> = SourceEffect<S> | WorkEffect<S>;

/** Rows, or fields of rows, that come from outside. */
export type SourceEffect<S = unknown> =
  | RowsEffect<S>
  | FieldsEffect<S>
  | RequestsEffect<S>
  | BytesEffect<S>
  | ArrivalsEffect;

/** What becomes of rows outside; they go on all the same. */
export type WorkEffect<S = unknown> = SinkEffect<S> | IngestEffect | BuildEffect | ForgetEffect;

interface Outside {
  /**
   * What becomes of the outside: nothing notices, something is asked, or something changes. A query that only reads may be
   * repeated; a run that is restricted to reading refuses a change.
   */
  readonly reach: 'reads' | 'asks' | 'changes';
}

/** Rows of a driver. */
interface RowsEffect<S> extends Outside {
  readonly kind: 'rows';
  /** Some rows at a time. A reader that stops early ends what makes them. */
  open(services: S, signal: AbortSignal): AsyncIterable<readonly MapValue[]>;
  /** The hidden column that gets the positions of the rows; absent: a statement loads them. */
  readonly sequence?: ColumnId;
  /** Whether they must not be made a second time: the run does not begin again. */
  readonly isOnce?: true;
  /** The plan that another node runs for them. */
  readonly planned?: Plan;
}

/** Fields that are laid over those of each row. */
interface FieldsEffect<S> extends Outside {
  readonly kind: 'fields';
  open(services: S, signal: AbortSignal): FieldAnswers;
  /** Columns of the input whose values are asked for. */
  readonly asked: readonly ColumnId[];
  /** A column of the input: rows for which it is true pass unchanged. */
  readonly bypass?: ColumnId;
  /** Known columns of the input, and what becomes of them; all other fields go into the overflow. */
  readonly fields: readonly { readonly column: Column; readonly before: ColumnId }[];
  readonly overflow: ColumnId;
}

export interface FieldAnswers {
  /** The fields for each list of values, in their order; equal lists are asked for once. */
  of(asked: readonly (readonly Value[])[]): Promise<readonly MapValue[]>;
}

/** A request for each row, which a local thread reads from the row (`query/local/web-rows.ts`). */
interface RequestsEffect<S> extends Outside {
  readonly kind: 'requests';
  open(services: S, signal: AbortSignal): RequestSender;
}

export interface RequestSender {
  /** A request that fails is an answer too. Rejects if `signal` is aborted, and beyond the bound of the run. */
  send(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
}

/** Bytes that a local thread makes rows of (`query/local/file-rows.ts`). */
interface BytesEffect<S> extends Outside {
  readonly kind: 'bytes';
  /** Pieces of at most 256 KiB each. */
  open(services: S, signal: AbortSignal): AsyncIterable<FileBytes>;
  /** The name that failures are reported with. */
  readonly name: string;
}

/** A piece of a file, or of an entry of an archive. Pieces of files follow one another. */
export interface FileBytes {
  /** The path as found. */
  readonly file: string;
  readonly entry?: string;
  readonly bytes: Uint8Array;
  readonly isEnd: boolean;
}

/** Records of tables, from the start of the run on. */
interface ArrivalsEffect extends Outside {
  readonly kind: 'arrivals';
  readonly tables: readonly string[];
  readonly length: Duration;
}

/** Rows on their way out of a run; invisible until they are committed. */
export interface RowSink {
  add(rows: readonly ReadonlyMap<string, Value>[]): Promise<void>;
  /** Does everything that can fail before the commit. The rows are still invisible. */
  prepare(): Promise<void>;
  commit(): Promise<void>;
  /** Discards the rows. Does nothing after the end. */
  discard(): Promise<void>;
}

/** A sink that can also store its rows as they come. */
export interface FlushingSink extends RowSink {
  /** Stores what has been added, to stay; more may follow. Neither `prepare` nor `commit` follows it. */
  flush(): Promise<void>;
}

/** Rows that are written: all of them once the run has succeeded, and as they come if they arrive from a window. */
type SinkEffect<S> = SinkRows &
  (
    | { open(services: S, signal: AbortSignal): Promise<FlushingSink>; readonly isImmediate?: never }
    /** Rows are stored as they come in any case, and stay: `prepare` stores them. */
    | { open(services: S, signal: AbortSignal): Promise<RowSink>; readonly isImmediate: true }
  );

interface SinkRows extends Outside {
  readonly kind: 'sink';
  /** The rows to write, if they are not those of the input: the first of each value of a field. */
  readonly distinct?: { readonly records: PlanNode; readonly key: string };
}

/** Rows that become records of a table. */
interface IngestEffect extends Outside {
  readonly kind: 'ingest';
  readonly table: string;
}

/** Rows that become a lookup in memory, of which `key` names the column that is its key. */
export interface BuildEffect extends Outside {
  readonly kind: 'build';
  readonly lookup: LookupName;
  readonly key: string;
  /** The rows of the lookup: the first of each key. */
  readonly records: PlanNode;
}

interface ForgetEffect extends Outside {
  readonly kind: 'forget';
  readonly lookup: LookupName;
}
