// What a store may make of the records of a scan in place of handing them over: rows that are equal in all that a group reads of
// them as one, with their number and states of aggregates. Only columns of one type are read so, and only where every
// condition between the scan and the group can be told to the store.

import type { Column } from '#query/model/columns.ts';
import {
  type AggregateCall,
  type ColumnId,
  childrenOf,
  columnRead,
  type Expression,
  isVolatile,
} from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import { declarationOf, isVolatileStep, preservesCount, tableScanOf } from '#query/nodes/facts.ts';
import type { TimeGroups } from '#query/nodes/node.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { TableScan } from '#query/nodes/table.ts';

/** Some rows of a scan: those for which all conditions are true. */
export interface SelectedRows {
  readonly scan: TableScan;
  readonly conditions: readonly Expression[];
}

export interface CondensedRows extends SelectedRows {
  readonly keys: readonly Column[];
  /** Times of one group are one key. */
  readonly times: TimeGroups | undefined;
  readonly states: readonly AggregateState[];
}

/** An aggregate over the values of a column. */
export interface AggregateState {
  readonly call: AggregateCall;
  readonly column: Column;
}

/** Types whose values have one form in every store. */
const KEY_TYPES: readonly ColumnType[] = ['long', 'double', 'bool', 'string'];

/** Columns whose values are all different, or nearly: nothing would be condensed by them. */
const UNIQUE = ['_id', '_time'];

/** Of the input of a node; undefined where it needs the records themselves. */
export function condensedRowsOf(node: PlanNode, zone: string): CondensedRows | undefined {
  const { equalRows, aggregates } = declarationOf(node);
  const equal = equalRows?.(node, zone);
  const selected = equal && node.input && selectedRows(node.input);
  if (!selected) return undefined;
  const { keys, times } = equal;
  const columns = new Columns(selected.scan);
  if (times && columns.of(times.time)?.name !== '_time') return undefined;
  const states: AggregateState[] = [];
  for (const call of aggregates?.(node) ?? []) {
    const column = stateColumn(call, columns);
    if (column) states.push({ call, column });
    else if (call.args.length > 0 && (!call.called.ignoresRepeats || !columns.take(call.args))) return undefined;
  }
  return columns.take(keys) ? { ...selected, times, states, keys: columns.taken } : undefined;
}

/** The column of an aggregate whose results over parts of the rows can be merged. */
function stateColumn({ called, args }: AggregateCall, columns: Columns): Column | undefined {
  const [first] = args;
  const id = first && args.length === 1 ? columnRead(first) : undefined;
  const column = id === undefined || !called.merge ? undefined : columns.of(id);
  if (!column || column.name === '_id') return undefined;
  const isNumber = column.type === 'long' || column.type === 'double';
  if (called.args[0]?.type === 'number' && !isNumber) return undefined;
  return KEY_TYPES.includes(column.type) || column.name === '_time' ? column : undefined;
}

/** The columns of a scan that are keys. */
class Columns {
  readonly #columns: ReadonlyMap<ColumnId, Column>;
  readonly #taken = new Map<ColumnId, Column>();

  constructor({ rows }: TableScan) {
    this.#columns = new Map([...rows.columns, ...(rows.unlisted ?? [])].map((column) => [column.id, column]));
  }

  of(id: ColumnId): Column | undefined {
    return this.#columns.get(id);
  }

  get taken(): readonly Column[] {
    return [...this.#taken.values()];
  }

  /** Whether all that the expressions read can be keys. */
  take(expressions: readonly Expression[]): boolean {
    return expressions.every((expression) => !isVolatile(expression) && this.#takeFields(expression));
  }

  #takeFields(expression: Expression): boolean {
    if (expression.kind !== 'field') return childrenOf(expression).every((inner) => this.#takeFields(inner));
    if (expression.source?.kind === 'absent' || expression.source?.kind === 'element') return true;
    const id = columnRead(expression);
    const column = id === undefined ? undefined : this.of(id);
    if (!column || UNIQUE.includes(column.name) || !KEY_TYPES.includes(column.type)) return false;
    this.#taken.set(column.id, column);
    return true;
  }
}

/** The rows of a node as some of those of a scan, in any order; undefined where it changes or counts them. */
export function selectedRows(node: PlanNode): SelectedRows | undefined {
  const scan = tableScanOf(node);
  if (scan) return scan.limit === undefined && scan.offset === 0n ? { scan, conditions: [] } : undefined;
  const { isSelection, condition } = declarationOf(node);
  if (!node.input || !isSelection?.(node) || isVolatileStep(node)) return undefined;
  const own = condition?.(node);
  if (!own && !preservesCount(node)) return undefined;
  const below = selectedRows(node.input);
  return below && { ...below, conditions: own ? [...below.conditions, own] : below.conditions };
}
