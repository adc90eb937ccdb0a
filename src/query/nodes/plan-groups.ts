// Nodes that look at many rows, and sinks.

import type { Encoding, PathPart } from '#query/commands/shared/export-paths.ts';
import type { Duration } from '#query/model/durations.ts';
import type { AggregateCall, ColumnId, Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { Assigned, Column, Node, Overflow, Step } from './plan-rows.ts';
import type { LookupName, TimeRange } from './plan-sources.ts';

export interface Grouped {
  readonly by: readonly Assigned[];
  readonly aggregates: readonly { readonly column: Column; readonly call: AggregateCall }[];
}

export interface Stats extends Step, Grouped {
  readonly kind: 'stats' | 'eventstats';
}

/** Every row with the aggregates of the rows of its group up to itself, or of the last `window` of these. */
export interface Streamstats extends Step, Grouped {
  readonly kind: 'streamstats';
  readonly window?: bigint;
  /** A hidden count of the rows: the order that the aggregates were made in, where there was one. */
  readonly sequence: ColumnId;
}

/** Each field of the row before, null in the first. */
export interface Prev extends Step {
  readonly kind: 'prev';
  readonly fields: readonly Assigned[];
  readonly sequence: ColumnId;
}

/** A key of rollup and cube: `column` is null where it is left out, `shown` what the row then shows for it. */
export interface RolledKey extends Assigned {
  readonly shown: Column;
  /** A hidden number, 1 where the key is left out. */
  readonly leftOut: ColumnId;
}

/** `stats` for several lists of keys at once: every prefix of `by`, or every subset. */
export interface Rollup extends Step {
  readonly kind: 'rollup';
  readonly sets: 'prefixes' | 'subsets';
  readonly by: readonly RolledKey[];
  readonly aggregates: Grouped['aggregates'];
  readonly label?: string;
}

/** One aggregate of timechart or pivot: `output` is its alias in column names. */
export interface CellAggregate {
  readonly call: AggregateCall;
  readonly output: string;
}

/** What a column that is made from values shows: an aggregate over the rows of one key, or of all keys without a column. */
export interface Cell {
  /** The text of the values that the column is named by; absent: OTHER. */
  readonly key?: string;
  /** Its place among the aggregates. */
  readonly aggregate: number;
}

export interface CellColumn extends Column {
  /** Absent without `by`: there is one column per aggregate, in their order. */
  readonly cell?: Cell;
}

export interface Timechart extends Step {
  readonly kind: 'timechart';
  readonly time: Expression;
  readonly bucket: Column;
  readonly span: Duration;
  readonly offset?: Duration;
  readonly continuous: boolean;
  readonly range: TimeRange;
  readonly fill?: Value;
  readonly aggregates: readonly CellAggregate[];
  /** Without `by` one per aggregate, in their order; with it those made from values, none while they are not known. */
  readonly columns: readonly CellColumn[];
  readonly by?: Expression;
  readonly limit?: bigint;
  readonly useOther: boolean;
}

export interface Pivot extends Step {
  readonly kind: 'pivot';
  readonly aggregates: readonly CellAggregate[];
  readonly rowFields: readonly Assigned[];
  readonly cols: readonly Expression[];
  /** Made from values; none while they are not known. */
  readonly columns: readonly CellColumn[];
  /** Without row fields: a hidden constant by which the one row is in order. */
  readonly single?: ColumnId;
  readonly fill?: Value;
}

export interface Sort extends Step {
  readonly kind: 'sort';
  /** Hidden copies of what is sorted by; `rows.order` begins with `by`, then `keys`. */
  readonly by: readonly Assigned[];
  readonly keys: readonly (Assigned & { readonly descending: boolean })[];
  /** Per partition where there is a `by`. */
  readonly limit?: bigint;
}

export interface Limit extends Step {
  readonly kind: 'limit';
  readonly offset: bigint;
  readonly count: bigint;
}

export interface Dedup extends Step {
  readonly kind: 'dedup';
  readonly keys: readonly Expression[];
  readonly count: bigint;
}

export interface Top extends Step {
  readonly kind: 'top';
  readonly least: boolean;
  readonly count: bigint;
  readonly by: readonly Assigned[];
  readonly names: readonly Assigned[];
  readonly countColumn: Column;
  readonly percentColumn: Column;
}

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'leftonly' | 'rightonly' | 'cross';

export interface Join extends Step {
  readonly kind: 'join';
  readonly type: JoinType;
  readonly right: Plan;
  readonly keys: readonly { readonly name: string; readonly left: Expression; readonly right: Expression }[];
  /** Each result column with the sides it may come from; on a match the right one wins where there is one. */
  readonly merged: readonly Merged[];
  readonly overflow?: MergedOverflow;
}

/** A side that is a key of an overflow is there only in rows that have the key. */
export interface Merged {
  readonly column: Column;
  readonly left?: Expression;
  readonly right?: Expression;
}

/**
 * The overflow of the result, made of those of both sides: keys that are columns of the result count as absent, and
 * where both sides have a key the rule of `merged` holds for it.
 */
export interface MergedOverflow {
  readonly id: ColumnId;
  readonly left?: Overflow;
  readonly right?: Overflow;
}

/** Without `input` it begins the query. */
export interface Union extends Node {
  readonly kind: 'union';
  readonly input?: PlanNode;
  readonly right: Plan;
  readonly merged: readonly Merged[];
  readonly overflow?: MergedOverflow;
}

/** Keeps a lookup in memory; all rows go on. */
export interface MemoryBuild extends Step, LookupName {
  readonly kind: 'memlookup';
  /** The column of `records` that is the key. */
  readonly key: string;
  /** The rows of the lookup, made of `input`: the first of each key. */
  readonly records: PlanNode;
}

/** How a file sink writes its rows. */
export type OutputForm =
  | { readonly format: 'csv'; readonly separator: ',' | '\t'; readonly mark: boolean; readonly encoding: Encoding }
  | { readonly format: 'json' }
  | { readonly format: 'txt'; readonly delimiter: string; readonly gzip: boolean };

/** outputcsv, outputjson, outputtxt. */
export interface Output extends Sink {
  readonly kind: 'output';
  readonly form: OutputForm;
  /** As written, or with the moments of `partition=t` between its texts. */
  readonly path: readonly PathPart[];
  readonly append: boolean;
  readonly overwrite: boolean;
  /** Absent: all fields of the row. */
  readonly names?: readonly string[];
}

/** What stores or writes rows. */
interface Sink extends Step {
  /** With whose rights, where that is not whoever runs the query. */
  readonly account?: string;
}

export interface Import extends Sink {
  readonly kind: 'import';
  readonly table: string;
}
