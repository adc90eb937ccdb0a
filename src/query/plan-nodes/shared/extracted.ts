// Nodes that take fields out of the text of a field.

import type { Column } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import type { Reading } from './reading.ts';

/** A column that keeps the value of `before` where the text has none for it. */
interface Extracted {
  readonly column: Column;
  readonly before: Expression;
}

/** The text is read where one of its columns is. */
export function readExtracted(made: readonly Extracted[], source: Expression, reading: Reading): void {
  const read = made.filter(({ column }) => reading.isRead(column.id));
  for (const { before } of read) reading.expression(before);
  if (read.length > 0) reading.expression(source);
}

interface RowsWithText {
  readonly from: string;
  readonly text: Sql;
}

/** Rows with the text of the source as a column of its own. */
export const withText = (input: string, source: Sql, compiler: PlanCompiler): RowsWithText =>
  withValue(input, toText(source, compiler.writer()), compiler);

export function withValue(input: string, { text, type }: Sql, compiler: PlanCompiler): RowsWithText {
  const name = compiler.name('text');
  return { from: `(select *, ${text} as ${name} from (${input}))`, text: { text: name, type, isPlain: true } };
}
