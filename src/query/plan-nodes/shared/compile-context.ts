// What a plan is compiled against, and the sources that its statement reads.

import type { Term } from '#query/functions/text-tests.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { type ChartColumn, foundColumnsOf } from './chart-cells.ts';
import type { Condensed } from './condensed.ts';
import type { LookupName } from './lookup-rows.ts';
import type { Scan, TableSource } from './scans.ts';
import type { TextFacts } from './text-facts.ts';

export interface CompileContext {
  /** Must be held until the statement has ended. */
  readonly run: RunFacts;
  readonly constants?: ReadonlyMap<string, Value>;
  /** How the declared columns of a table are stored; values of other types are in its `_rest`. */
  readonly storedColumns: (table: string) => ReadonlyMap<string, ColumnType>;
  /** How the values of other types are stored, by the names of declared columns; absent: in `_rest`. */
  readonly furtherTypes?: (table: string) => ReadonlyMap<string, FurtherTypes>;
  /** How values inside of objects are stored, where they have columns; absent: in `_rest`. */
  readonly leafTypes?: (table: string) => LeafTypes;
  /** Whether records of a table have the node that took them in, in a column `_node`. */
  readonly storesNode?: (table: string) => boolean;
  /** Bytes of one record of a table as it came, on average of the part where they are longest; absent: not known. */
  readonly rowBytes?: (table: string) => number;
  /** Types of the columns of a lookup, in their order. */
  readonly lookupColumns: (lookup: LookupName) => ReadonlyMap<string, ColumnType>;
  /** Nodes whose rows are in a table already, made by `stageStatement`; each with the quoted name of that table. */
  readonly stages?: ReadonlyMap<PlanNode, string>;
  /** Rows that the input of a node is given as; nothing is read of it then. */
  readonly condensed?: ReadonlyMap<PlanNode, Condensed>;
  /** Tables of the groups of charts, made by `chartGroups`, by the columns that were found in them. */
  readonly keptGroups?: ReadonlyMap<readonly ChartColumn[], string>;
}

/** Values of a field of several types, beside those in the column of its own name. */
export interface FurtherTypes {
  /** Each with values of one type. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Whether values may be in `_rest`, too. */
  readonly isInRest: boolean;
}

/** Values of fields without a declared column, some of which have columns of their own; the others are in `_rest`. */
export interface LeafTypes {
  /** All such columns, and those of `shapeOf`. */
  readonly columns: FurtherTypes['columns'];
  /** Those of the values at a path; undefined where there is none, or where a value may be an object with columns of its own. */
  columnsOf(path: readonly string[]): FurtherTypes['columns'] | undefined;
  /** The column that is not null where the value of a field is in columns; undefined where none of its values are. */
  shapeOf(field: string): string | undefined;
}

export const NO_LEAF_TYPES: LeafTypes = { columns: [], columnsOf: () => undefined, shapeOf: () => undefined };

/** The table of the groups of a node, where it is a chart whose groups are kept. */
export function keptGroupsOf(node: PlanNode, { keptGroups }: CompileContext): string | undefined {
  const found = foundColumnsOf(node);
  return found && keptGroups?.get(found);
}

/** Whether the rows of a node or the groups of a chart are in a table: nothing of its input is read. */
export const isInTable = (node: PlanNode, context: CompileContext): boolean =>
  context.stages?.has(node) === true || keptGroupsOf(node, context) !== undefined;

/** A SELECT that the caller puts into a statement under a name. */
export type Source = TableSelect | LookupSelect;

/** Of `_id bigint, _time timestamp, <stored columns>, _rest json`; columns that are not among `reads` may be left out. */
export interface TableSelect {
  readonly name: string;
  readonly scan: Scan;
  readonly table: TableSource;
  readonly reads: StoredReads;
  /** No more than so many first rows of the scan's range matter, in its order; absent: all may. */
  readonly first?: bigint;
  readonly search?: RowSearch;
}

/** SELECTs over one source each, under one name. Those of sources without a row are left out of the statement. */
export interface SourceUnion {
  readonly name: string;
  readonly selects: readonly SourceSelect[];
}

export interface SourceSelect {
  /** The name of the source. */
  readonly source: string;
  readonly text: string;
}

/** A table as a node asks for it. */
export type ReadTable = Pick<TableSelect, 'scan' | 'table' | 'reads' | 'search'>;

/** What a statement reads of a stored table; `_time` is always read. */
export interface StoredReads {
  /** Stored columns, `_id` among them where it is read. */
  readonly columns: ReadonlySet<string>;
  readonly hasRest: boolean;
  /** Fields of `_rest` that are read, as far as `LeafTypes` has columns of them; absent: all. */
  readonly restFields?: ReadonlySet<string>;
}

/** A search of the rows of a table, which takes less where an index tells of their texts. */
export interface RowSearch {
  readonly phrases: readonly Term[];
  /** The found rows of a SELECT under that name, of which so much is known; called once the SELECT is known. */
  readonly select: (from: string, facts: TextFacts) => string;
}

/** Some of the rows of a searched table, as a SELECT, and what is known of their texts. */
export interface SearchedRows {
  readonly select: string;
  readonly facts: TextFacts;
  /** No row is among them. */
  readonly isEmpty?: true;
}

/** Of the columns of the lookup by their indexes (`lookupColumn`). */
interface LookupSelect extends LookupName {
  readonly name: string;
}

export const isTableSelect = (source: Source): source is TableSelect => 'scan' in source;
