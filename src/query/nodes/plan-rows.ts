// Rows on their way through a plan, and what every node has.

import type { ColumnId, Expression, Span } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { PlanNode } from './plan.ts';

export interface Column {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: ColumnType;
}

export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** One JSON object per row with all fields that are no known columns. */
export interface Overflow {
  readonly id: ColumnId;
  /** Keys that count as absent: dropped or renamed on the way. */
  readonly without: readonly string[];
}

/** What a node hands on. */
export interface Rows {
  readonly columns: readonly Column[];
  /** Absent: the column list is closed. */
  readonly overflow?: Overflow;
  /** Absent: the order is not defined. An empty list never occurs. */
  readonly order?: readonly SortKey[];
  /** Carried along like what orders the rows, and lost where rows are made of others. */
  readonly parameters?: readonly RowParameter[];
  /** How many rows the commands before have made of one; carried and lost in the same way. */
  readonly exploded?: ColumnId;
  /** Further columns are made from values (timechart by, pivot) and known only while running. */
  readonly dynamic?: true;
}

/** A parameter that evalc gives each row anew: a hidden column by the name of the parameter. */
export interface RowParameter extends Column {
  /** Whether some row may come before it is set: then it can only be read with a default. */
  readonly mayBeUnset?: true;
}

export interface Node extends Span {
  /** The command's name and its normalized text. */
  readonly command: string;
  readonly text: string;
  readonly rows: Rows;
  /** Hands on as many rows as it gets (15.11). */
  readonly preservesCount: boolean;
}

export interface Step extends Node {
  readonly input: PlanNode;
}

/** A column that a node computes. */
export interface Assigned {
  readonly column: Column;
  readonly value: Expression;
}
