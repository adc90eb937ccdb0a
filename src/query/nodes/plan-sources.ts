// Nodes that make rows.

import type { Duration } from '#query/model/durations.ts';
import type { ColumnId, Expression, FieldRead } from '#query/model/expression.ts';
import type { ColumnType, MapValue } from '#query/model/values.ts';
import type { Plan } from './plan.ts';
import type { Column, Node } from './plan-rows.ts';

export interface TimeRange {
  /** Inclusive. */
  readonly from?: Temporal.Instant;
  /** Exclusive. */
  readonly to?: Temporal.Instant;
}

export interface TableSource {
  readonly name: string;
  /** Declared columns of this table by name; the merged ones are in `rows`. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Whether it may have fields beside these. */
  readonly isOpen: boolean;
}

/** `_table`, `_time` and `_id` are always among the columns, declared ones of all tables follow, then the overflow. */
interface Scan extends Node {
  readonly tables: readonly TableSource[];
  readonly range: TimeRange;
  readonly direction: 'desc' | 'asc';
  readonly offset: bigint;
  readonly limit?: bigint;
  /** The node whose tables they are, where the text names one: rows then have `_node`. */
  readonly node?: string;
}

export interface TableScan extends Scan {
  readonly kind: 'table';
}

/**
 * Rows as they arrive, in that order, for `length` from the start of the run; nothing stored. A value of any type may
 * arrive in any column, and fields that no column is known for.
 */
export interface WindowScan extends Node {
  readonly kind: 'window';
  readonly tables: readonly TableSource[];
  readonly length: Duration;
  readonly offset: bigint;
  readonly limit?: bigint;
  readonly node?: string;
  /** Hidden: the place of a row in the order of arrival. */
  readonly sequence: ColumnId;
  /** Rows that do not fit are left out; no subquery is among the terms. */
  readonly sought?: TextSearch;
}

export interface TextSearch {
  readonly condition: TextCondition;
  /** Whether the words of a term may stand in several fields. */
  readonly anywhere: boolean;
}

export interface FulltextScan extends Scan, TextSearch {
  readonly kind: 'fulltext';
  /** Of the condition, in the order of the text. */
  readonly subqueries: readonly Plan[];
}

/** Conditions of `fulltext`; everything ignores case. */
export type TextCondition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly TextCondition[] }
  | { readonly kind: 'not'; readonly operand: TextCondition }
  /** Words in lower case that follow each other; a star stands for the rest of the first or last one. */
  | { readonly kind: 'term'; readonly words: readonly string[]; readonly openStart: boolean; readonly openEnd: boolean }
  /** Any value of a column of a subquery, which has none where it knows no column: in the field, else in any. */
  | { readonly kind: 'found'; readonly field?: FieldRead; readonly value?: FieldRead; readonly query: Plan }
  | {
      readonly kind: 'comparison';
      readonly field: FieldRead;
      readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
      readonly value: Expression;
    }
  | {
      readonly kind: 'range' | 'iprange';
      readonly field: FieldRead;
      readonly low: Expression;
      readonly high: Expression;
    };

export interface JsonRows extends Node {
  readonly kind: 'json';
  readonly values: readonly MapValue[];
  readonly sequence: ColumnId;
}

/** A stored query run with its owner's rights; its rows are those of its own plan. */
export interface ProcedureRun extends Node {
  readonly kind: 'proc';
  readonly procedure: string;
  readonly constants: ReadonlyMap<string, Expression>;
  readonly body: Plan;
}

/** A query that a node of the service runs; its rows are those of its own plan. */
export interface RemoteRun extends Node {
  readonly kind: 'remote';
  /** A name, or a star for all of them. */
  readonly node: string;
  readonly right: Plan;
}

export interface SystemRows extends Node {
  readonly kind: 'system';
  readonly object: string;
  /** Whose rights decide what is seen, where it is not whoever runs the query. */
  readonly account?: string;
}

/** Names a lookup: those in memory belong to accounts. */
export interface LookupName {
  readonly lookup: string;
  /** Whose it is, where that is not whoever runs the query. */
  readonly account?: string;
}

/** The rows of a lookup in the order of its key, which need not be among its columns. */
export interface LookupRows extends Node, LookupName {
  readonly kind: 'lookuptable';
  readonly key: { readonly from: string; readonly column: Column };
  readonly fields: readonly { readonly from: string; readonly column: Column }[];
}

/** Forgets a lookup in memory once it has run; no row. */
export interface MemoryDrop extends Node, LookupName {
  readonly kind: 'memlookup-drop';
}
