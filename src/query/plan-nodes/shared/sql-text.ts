// Names and clauses that the SQL of all nodes shares.

import type { ColumnId } from '#query/model/expression.ts';

/** Every column is called so, wherever it stands: no name of a query or of a field is ever an alias. */
export const alias = (id: ColumnId): string => `c${id}`;

/** The column beside a column that has its values of some types. */
export const partAlias = (id: ColumnId, part: string): string => `${alias(id)}_${part}`;

/** Of a stage: how many rows of its input are behind a row. No alias of a column. */
export const BEHIND = 'behind';

/** Rows of a node that are handed on, in its order. */
export interface Cut {
  readonly count: bigint;
  readonly offset: bigint;
}

/** The limit is written out and not bound, so that DuckDB can plan by it. */
export function cut(limit: bigint | undefined, offset = 0n): string {
  return [
    ...(limit === undefined ? [] : [`limit ${countable(limit)}`]),
    ...(offset === 0n ? [] : [`offset ${countable(offset)}`]),
  ].join(' ');
}

const MAX_CUT = 2n ** 61n;

/** As much of a number as DuckDB can count. */
export const countable = (count: bigint): bigint => (count > MAX_CUT ? MAX_CUT : count);
