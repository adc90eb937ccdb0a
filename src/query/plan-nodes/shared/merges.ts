// Columns that are made of two sets of rows: join and union.

import type { Column, Overflow } from '#query/model/columns.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { Reading } from './reading.ts';

/** A side that is a key of an overflow exists only in rows that have the key. */
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

export interface MergedRows {
  /** Each result column with the sides it may come from; on a match the right one wins where there is one. */
  readonly merged: readonly Merged[];
  readonly overflow?: MergedOverflow;
}

export function readMerged({ merged, overflow }: MergedRows, reading: Reading): void {
  for (const { column, left, right } of merged) {
    if (!reading.isRead(column.id)) continue;
    if (left) reading.expression(left);
    if (right) reading.expression(right);
  }
  if (!overflow) return;
  reading.overflowFrom(overflow.id, overflow.left);
  reading.overflowFrom(overflow.id, overflow.right);
}

export function sideSql(field: Expression | undefined, { type }: Column, compiler: PlanCompiler): string {
  return compiler.converted(field ? compiler.expression(field) : { text: 'null', type: 'null' }, type);
}
