// What a node's SQL is made with. Statements compile plans with it (`query/statements/statement-compiler.ts`).

import type { Rows, SortKey } from '#query/model/columns.ts';
import type { ColumnId, Expression, LeafRead } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import type { Sql, SqlScope, SqlType } from '#query/sql/scope.ts';
import type { PlanNode } from './plan.ts';
import type { CompileContext, FurtherTypes, LeafTypes, ReadTable, SourceSelect } from './shared/compile-context.ts';
import type { CondensedInputs } from './shared/condensed.ts';
import type { LookupName } from './shared/lookup-rows.ts';
import type { Reading } from './shared/reading.ts';
import type { RecordSteps } from './shared/row-scope.ts';
import type { Cut } from './shared/sql-text.ts';
import type { TableScan } from './table.ts';

export interface SelectParts {
  readonly from: string;
  readonly tail?: string;
  readonly more?: readonly string[];
}

/** Whether rows may be so long that memory cannot hold as many of them as DuckDB computes at once. */
export interface RowLengthFacts {
  isLong(node: PlanNode): boolean;
  /** Whether values of these expressions over rows of the node are. */
  areLong(expressions: readonly Expression[], input: PlanNode): boolean;
}

export interface PlanCompiler {
  readonly context: CompileContext;
  readonly recordSteps: RecordSteps;
  readonly condensed: CondensedInputs;
  readonly reading: Reading;
  readonly lengths: RowLengthFacts;

  /** The table of the groups of a chart that are made already: nothing of its input is read. */
  keptGroups(node: PlanNode): string | undefined;

  /** Counts SELECTs that a node puts around each other: DuckDB takes long to prepare deep ones. */
  deepen(selects: number, node: PlanNode): void;

  /** A SELECT with at least those columns of the node's rows that are read. */
  planNode(node: PlanNode): string;

  /** The name of the count of a node's rows, where there is one. */
  sequenceOf(node: PlanNode): string[];

  /** Names that a SELECT around the rows of an input hands on, beside its columns. */
  carriedOf(input: PlanNode): string[];

  /** Says which rows of a node are handed on, before it is compiled. */
  cutRows(node: PlanNode, taken: Cut): void;

  /** The table that the rows of a node are from, where they are rows of one table as they are stored. */
  tableBelow(node: PlanNode): TableScan | undefined;

  /** Whether an expression that fits has made a value of the rows of a node; `fits` is the same in every call. */
  isMadeBy(fits: (expression: Expression) => boolean, node: PlanNode): boolean;

  /** The cut of a node that cuts its rows itself. */
  takenCut(node: PlanNode): Cut | undefined;

  typeOf(id: ColumnId): SqlType;

  column(id: ColumnId): Sql;

  isRead(id: ColumnId): boolean;

  /** Columns of these rows that are read, hidden ones among them. */
  outputs(rows: Rows): ColumnId[];

  /** Columns that are read of a node's rows by the nodes above. */
  wanted(node: PlanNode): readonly ColumnId[];

  /**
   * Columns that are not computed come from below, those with parts together with these; `more` are entries of the list that
   * are no columns of the plan.
   */
  select(
    rows: Rows | readonly ColumnId[],
    parts: SelectParts & { readonly computed?: ReadonlyMap<ColumnId, string | Sql> },
  ): string;

  /** An entry of a SELECT list with that number, of a node that tells it. */
  behind(node: PlanNode, count: string): string[];

  /** A name for a step inside the statement. */
  name(what: string): string;

  /** The name under which the statement reads a table. */
  table(source: ReadTable): string;

  /** The rows of several SELECTs, each over a source of its own. */
  union(selects: readonly SourceSelect[]): string;

  /** How the declared columns of a table are stored. */
  storedColumns(table: string): ReadonlyMap<string, ColumnType>;

  /** How values of other types than those of the declared columns of a table are stored. */
  furtherTypes(table: string): ReadonlyMap<string, FurtherTypes>;

  /** How values inside of objects of a table are stored. */
  leafTypes(table: string): LeafTypes;

  /** The values inside of an overflow that have columns of their own, with the ids of these. */
  leavesOf(overflow: ColumnId): readonly LeafRead[];

  lookup(lookup: LookupName): string;

  /** A column of a source by its own name. */
  stored(name: string): string;

  bind(value: Value): Sql;

  scope(order?: Pick<SqlScope, 'order' | 'sequence' | 'window'>): SqlScope;

  writer(): Compiler;

  /** Typed also where it is always null: DuckDB would take a bare null for an integer. */
  expression(expression: Expression, as?: ColumnType, scope?: SqlScope): Sql;

  converted(value: Sql, as: SqlType): string;

  /** SQL that sorts and groups like a value (3.4). */
  keys(value: Sql): readonly string[];

  /** SQL that groups like a value but does not sort like it. */
  group(value: Sql): string;

  /** The list of an ORDER BY; undefined where the order is not defined or not read. */
  order(rows: Rows): string | undefined;

  sorted(value: Sql, key: Pick<SortKey, 'descending'>): string;

  /** Compiles over rows that have the parts of mixed columns, or over others. */
  withParts<T>(hasParts: boolean, compile: () => T): T;

  /** Whether the node tells how many rows of its input are behind each of its own. */
  isCounted(node: PlanNode): boolean;
}
