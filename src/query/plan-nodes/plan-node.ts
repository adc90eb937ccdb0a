// The shape of a plan node. A kind of node is one declaration: its type, every fact that a walk over plans asks for, its SQL
// and, where it has one, its local form. A walk has no list of kinds; a declaration without a required fact does not
// compile.

import type { Column } from '#query/model/columns.ts';
import type { AggregateCall, ColumnId, Expression } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Row } from '#query/rows/row.ts';
import type { Effect } from './effect.ts';
import type { LocalForm } from './local-form.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import type { ChartFacts } from './shared/chart-cells.ts';
import type { LookupName } from './shared/lookup-rows.ts';
import type { Reading } from './shared/reading.ts';
import type { Scan } from './shared/scans.ts';
import type { TextSearch } from './shared/text-condition.ts';

/** A column that a node computes. */
export interface Assigned {
  readonly column: Column;
  readonly value: Expression;
}

/** `S`: services of the process that its effect is opened with; see `EffectServices`. */
export interface PlanNodeDeclaration<N, S = unknown> {
  readonly kind: N extends { readonly kind: infer K } ? K : never;
  readonly takes: Takes;
  /** Expressions of the command's text that it evaluates for every row of its input. */
  readonly expressions: (node: N) => readonly Expression[];
  /** Columns that it makes and that need not be among those of its rows. */
  readonly makes: (node: N) => readonly TypedColumn[];
  /** Marks the columns of its inputs that it reads; columns of its own that are read are marked already. */
  readonly reads: (node: N, reading: Reading) => void;
  /**
   * Which conditions on its own rows hold for those rows of an input that matter, too, unless one of its expressions is
   * volatile: rows without them need not be read.
   */
  readonly pushdown: 'kept' | 'lost' | ((node: N, input: PlanNode) => Pushdown);
  /**
   * Whether its SQL reads the parts of mixed columns (`MixedParts`) of its input; `carried` where its rows have them, too, because
   * each of its SELECTs is made by `PlanCompiler.select` or takes all columns. Absent: it reads these columns as JSON.
   */
  readonly parts?: 'read' | 'carried';
  readonly counts: RowCount | ((node: N) => RowCount);
  /** A SELECT with at least those columns of its rows that are read. */
  readonly sql: (node: N, compiler: PlanCompiler) => string;

  /** How many SELECTs it puts around that of its input; absent: one, or a few where it looks at many rows. */
  readonly selects?: (node: N) => number;
  /** Absent: never runs locally. */
  readonly local?: LocalForm<N>;
  /** Pipelines in its brackets whose rows it takes. */
  readonly subqueries?: Subqueries<N>;
  /** The plan of a stored query that it runs: a query of its own, whose commands are none of this text. */
  readonly body?: (node: N) => Plan;
  /** Rows beside those of its input and its subqueries. */
  readonly besides?: (node: N) => readonly PlanNode[];
  /** Aggregates that it computes over the rows of its input. */
  readonly aggregates?: (node: N) => readonly AggregateCall[];
  /** Which of the rows it hands on, where it counts them. */
  readonly cut?: (node: N) => RowCut | undefined;
  /** So many rows at most, where neither `cut` nor its input tells it. */
  readonly maxRows?: (node: N) => bigint | undefined;
  /** The number of rows that it took of its input, told by the number that it has handed on; `as-input` needs none. */
  readonly taken?: (node: N, rows: bigint) => TakenRows | undefined;
  /** Whether it hands on rows only as they came. */
  readonly isSelection?: (node: N) => boolean;
  /** A condition that every row it hands on fulfils; of a selection that does not count rows it tells exactly which. */
  readonly condition?: (node: N) => Expression | undefined;
  /** Of a node that reads stored tables. */
  readonly scan?: ScanFacts<N>;
  /** Counting its rows costs next to nothing. */
  readonly isCountedFast?: true;
  /** Its SQL tells how many rows of its input each row was made of (`compiler.behind`). */
  readonly groups?: GroupFacts;
  /** Of a node that makes columns from values. */
  readonly chart?: ChartFacts<N>;
  /** Stored objects that it reads. */
  readonly uses?: (node: N) => Uses;
  /** What it does outside of the query. */
  readonly effect?: (node: N) => Effect<S>;
  /** Its rows in order, where the text of the query says them. */
  readonly writtenRows?: (node: N) => readonly Row[];
  /** What groups of its input are made by, where rows that are equal in it may come as one (`shared/condensed.ts`). */
  readonly equalRows?: (node: N, zone: string) => EqualRows;
  /** Which rows of its input it hands on, where these are the first ones of each combination of keys. */
  readonly firstOfEach?: (node: N) => FirstOfEach;
  /** Its rows as counts, where it reads nothing of its input but how many rows there are at which times. */
  readonly timeCounts?: (node: N, zone: string) => TimeCounts | undefined;
}

/** What a node reads of its input beside the arguments of its aggregates. */
export interface EqualRows {
  readonly keys: readonly Expression[];
  /** Times of one group are one time. */
  readonly times?: TimeGroups | undefined;
}

export interface FirstOfEach {
  readonly keys: readonly Expression[];
  readonly count: bigint;
}

/** Rows that are groups of the rows of an input by their times, each with the number of its rows. */
export interface TimeCounts {
  readonly cells: readonly ('group' | 'count')[];
  /** Absent: all rows are one group, which is there without a row, too. */
  readonly groups?: TimeGroups;
}

export interface TimeGroups {
  /** The column that has the times. */
  readonly time: ColumnId;
  /** The group of a time, both in epoch milliseconds; null where it belongs to none. Groups follow the local time. */
  readonly groupOf: (time: number) => number | null;
  /** Milliseconds: times in the same step since the epoch are in one group, unless the zone is an odd one. */
  readonly step: number;
  /** The same of steps of local time, as long as the zone keeps its distance from UTC; absent where it is no longer one. */
  readonly localStep?: number | undefined;
}

/**
 * How a node takes the rows of its input:
 * - `each`: looks at one row at a time and hands it on or not, in order;
 * - `all-before-first`: takes all rows before it hands on the first;
 * - `all-always`: takes all rows, however few are taken of its own;
 * - `as-needed`: takes rows as its own are taken, each of which may depend on others;
 * - `no-rows`: has no input;
 * - `records`: has none, because its rows are records from outside, see `compileSteps`.
 */
type Takes = 'each' | 'all-before-first' | 'all-always' | 'as-needed' | 'no-rows' | 'records';

type TypedColumn = Pick<Column, 'id' | 'type'>;

/** All conditions, none, or those on columns that are fields of the input. */
export type Pushdown = 'kept' | 'lost' | ColumnFields;

/** Columns of a node with the values of its input that they have. */
export type ColumnFields = readonly (readonly [column: ColumnId | undefined, value: Expression | undefined])[];

/**
 * How many rows a node hands on: as many as its input, some of those of its input, as many as other nodes together, a number
 * that is known, or a number that must be counted.
 */
export type RowCount =
  | 'as-input'
  | 'some-of-input'
  | 'counted'
  | { readonly exactly: bigint }
  | { readonly sumOf: readonly PlanNode[]; readonly times?: bigint };

interface Subqueries<N> {
  readonly plans: (node: N) => readonly Plan[];
  /** `as-needed`: hands on their rows one by one; `all`: reads all of them first. */
  readonly taken: 'as-needed' | 'all';
}

export interface RowCut {
  readonly offset: bigint;
  readonly limit?: bigint | undefined;
  /** A node that hands on so many first rows of the same input; absent where it does more than cut. */
  readonly firstRows?: (count: bigint) => PlanNode;
}

export interface TakenRows {
  readonly rows: bigint;
  /** Whether there may have been more. */
  readonly isCut: boolean;
}

interface ScanFacts<N> {
  readonly of: (node: N) => Scan;
  /** The range of time that it reads, narrowed by its own condition. */
  readonly range: (node: N, zone: string) => TimeRange;
  /** Whether it leaves out rows of its tables by a condition. */
  readonly isFiltered: boolean;
  /** What it looks for in the texts of its rows. */
  readonly search?: (node: N) => TextSearch;
}

interface GroupFacts {
  /** Rows of the input where there is no group; null where that is not known. */
  readonly inputWithoutGroups: bigint | null;
}

/** Stored objects that a node reads. */
interface Uses {
  /** Tables whose stored rows it reads. */
  readonly tables?: readonly string[];
  readonly lookup?: LookupName;
}

/** For nodes without expressions, columns or reads of their own. */
export const nothing = (): readonly never[] => [];

/** Hidden columns that count. */
export const counters = (...ids: readonly (number | undefined)[]): TypedColumn[] =>
  ids.flatMap((id) => (id === undefined ? [] : [{ id, type: 'long' as const }]));

export const valuesOf = (assigned: readonly Assigned[]): readonly Expression[] => assigned.map(({ value }) => value);

export const columnsOf = (made: readonly { readonly column: Column }[]): readonly Column[] =>
  made.map(({ column }) => column);
