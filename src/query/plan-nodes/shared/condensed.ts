// Rows that are equal in all that a group reads of them, each once: with the number of the rows that it stands for, and with
// states of aggregates over these. A store can make them of its records; groups of them are groups of the records.

import type { AggregateCall, ColumnId } from '#query/model/expression.ts';
import type { AggregateMerge, AggregateWhole } from '#query/model/function.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import type { CompileContext } from './compile-context.ts';
import { alias } from './sql-text.ts';

/** A SELECT of such rows: key columns under their aliases, `WEIGHT`, and states by their names. */
export interface Condensed {
  readonly select: string;
  /** The tables whose records its rows stand for. */
  readonly tables: readonly string[];
  readonly keys: ReadonlySet<ColumnId>;
  /** Of aggregates whose states it has; the others are made of the keys. */
  readonly states: ReadonlyMap<AggregateCall, PlacedState>;
}

interface PlacedState {
  readonly index: number;
  readonly kind: StateKind;
}

/** How a state becomes the result: `distinct` is that of all records, and stands alone. */
type StateKind = AggregateMerge | AggregateWhole;

/** No alias of a column. */
export const WEIGHT = 'weight';
export const stateName = (index: number): string => `state_${index}`;
/** The number of values behind the state of a mean. */
export const stateRows = (index: number): string => `state_${index}_rows`;

const TOTAL_WEIGHT = `coalesce(sum(${WEIGHT}), 0)::bigint`;

/** The inputs of a statement that are given as condensed rows. */
export class CondensedInputs {
  readonly #context: Pick<CompileContext, 'condensed'>;
  readonly #inputs = new Map<PlanNode, Condensed>();

  constructor(context: Pick<CompileContext, 'condensed'>) {
    this.#context = context;
  }

  /** Whether the input of a node is given so: nothing below is read. */
  takes(node: PlanNode): boolean {
    const condensed = this.#context.condensed?.get(node);
    if (condensed && node.input) this.#inputs.set(node.input, condensed);
    return condensed !== undefined;
  }

  has(input: PlanNode): boolean {
    return this.#inputs.has(input);
  }

  /** Columns of `ids` that only aggregates read are not there. */
  rows(input: PlanNode, ids: readonly ColumnId[]): string {
    const { select = '', keys = new Set() } = this.#inputs.get(input) ?? {};
    const absent = ids.filter((id) => !keys.has(id)).map((id) => `null as ${alias(id)}`);
    return `select ${['*', ...absent].join(', ')} from (${select})`;
  }

  /** The aggregate of an input as one of states, where these are given. */
  merged(input: PlanNode, call: AggregateCall): Sql | undefined {
    if (call.args.length === 0) return this.has(input) ? sql(TOTAL_WEIGHT, 'long') : undefined;
    const state = this.#inputs.get(input)?.states.get(call);
    return state && mergedSql(call, state);
  }

  /** The number of rows of an input in a group of them. */
  rowCount(input: PlanNode): string {
    return this.has(input) ? TOTAL_WEIGHT : 'count(*)';
  }

  /** All that a SELECT around the rows of an input must hand on. */
  carried(input: PlanNode): string[] {
    const condensed = this.#inputs.get(input);
    return condensed ? carriedNames(condensed) : [];
  }
}

const carriedNames = ({ states }: Condensed): string[] => [
  WEIGHT,
  ...[...states.values()].flatMap(({ index, kind }) =>
    kind === 'avg' ? [stateName(index), stateRows(index)] : [stateName(index)],
  ),
];

/** An aggregate of the states; as `aggregateSql` of the records. */
function mergedSql({ args }: AggregateCall, { index, kind }: PlacedState): Sql {
  return MERGES[kind](stateName(index), args[0]?.type ?? 'any', index);
}

type Merge = (state: string, type: ColumnType, index: number) => Sql;

const MERGES: Readonly<Record<StateKind, Merge>> = {
  count: (state) => sql(`coalesce(sum(${state}), 0)::bigint`, 'long'),
  sum: (state, type) =>
    type === 'long'
      ? sql(`try_cast(coalesce(sum(${state}), 0) as bigint)`, 'long')
      : sql(`vigil_finite(coalesce(sum(${state}), 0))`, 'double'),
  avg: (state, _type, index) =>
    sql(`vigil_finite(sum(${state})::double / nullif(sum(${stateRows(index)}), 0)::double)`, 'double'),
  min: (state, type) => sql(`min(${state})`, type),
  max: (state, type) => sql(`max(${state})`, type),
  distinct: (state) => sql(`coalesce(max(${state}), 0)::bigint`, 'long'),
};
