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
import type { AggregateMerge, AggregateWhole } from '#query/model/function.ts';
import type { ColumnType } from '#query/model/values.ts';
import { declarationOf, isVolatileStep, preservesCount, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { EqualRows, TimeGroups } from '#query/plan-nodes/plan-node.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';

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
  /** Whether all records must be one row, because some states cannot be merged. */
  readonly isOne: boolean;
}

/** An aggregate over the values of a column. */
export interface AggregateState {
  readonly call: AggregateCall;
  readonly column: Column;
  readonly kind: AggregateMerge | AggregateWhole;
}

/** Types whose values have one form in every store. */
export const KEY_TYPES: readonly ColumnType[] = ['long', 'double', 'bool', 'string'];

/** Of these, the types whose equal values have one form: a fraction may be 0 and -0. */
const SAME_TYPES: readonly ColumnType[] = ['long', 'bool', 'string'];

/** Columns whose values are all different, or nearly: nothing would be condensed by them. */
const UNIQUE = ['_id', '_time'];

/** Of the input of a node, the fewest rows first; none where it needs the records themselves. */
export function condensedRowsOf(node: PlanNode, zone: string): readonly CondensedRows[] {
  const equal = declarationOf(node).equalRows?.(node, zone);
  const selected = equal && node.input && selectedRows(node.input);
  if (!selected) return [];
  const forms = [true, false].map((isOne) => condensedForm(node, { ...equal, selected, isOne }));
  return forms.filter((form) => form !== undefined);
}

interface Form extends EqualRows {
  readonly selected: SelectedRows;
  readonly isOne: boolean;
}

function condensedForm(node: PlanNode, { selected, keys, times, isOne }: Form): CondensedRows | undefined {
  const columns = new Columns(selected.scan);
  if (times && columns.of(times.time)?.name !== '_time') return undefined;
  const states: AggregateState[] = [];
  for (const call of declarationOf(node).aggregates?.(node) ?? []) {
    const state = stateOf(call, columns, isOne);
    if (state) states.push({ call, ...state });
    else if (call.args.length > 0 && (!call.called.ignoresRepeats || !columns.take(call.args))) return undefined;
  }
  if (!columns.take(keys)) return undefined;
  const { taken } = columns;
  // Otherwise it is the other form.
  if (isOne && (times || taken.length > 0 || !states.some(({ call, kind }) => kind === call.called.whole)))
    return undefined;
  return { ...selected, times, states, isOne, keys: taken };
}

/** The column of an aggregate whose results over parts of the rows can be merged, or is that over all rows. */
function stateOf({ called, args }: AggregateCall, columns: Columns, isOne: boolean) {
  const [first] = args;
  const id = first && args.length === 1 ? columnRead(first) : undefined;
  const kind = called.merge ?? (isOne ? called.whole : undefined);
  const column = id === undefined ? undefined : columns.of(id);
  if (!column || !kind || column.name === '_id') return undefined;
  const isNumber = column.type === 'long' || column.type === 'double';
  if (called.args[0]?.type === 'number' && !isNumber) return undefined;
  const types = kind === called.whole ? SAME_TYPES : KEY_TYPES;
  return types.includes(column.type) || (kind === called.merge && column.name === '_time')
    ? { column, kind }
    : undefined;
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
