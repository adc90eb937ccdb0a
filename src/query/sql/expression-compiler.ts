// What the SQL of functions is made with.

import type { Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { Side } from './comparison.ts';
import type { Sql } from './scope.ts';
import type { Writer } from './writer.ts';

export interface ExpressionCompiler extends Writer {
  /** SQL of the number of evaluations per row: the product of the positions of the enclosing foreach() calls. */
  readonly positions: string;

  compile(expression: Expression): Sql;

  /** For WHERE, where null counts as false: tests need no coalesce, so DuckDB can push them into its scans. */
  condition(expression: Expression): string;

  constant(expression: Expression): Value;

  /** A side of a comparison, with its value if it is a constant. */
  side(expression: Expression): Side;

  /** Converts the values to one common type. */
  alike(values: readonly Sql[]): { values: readonly Sql[]; type: ColumnType };

  /** The body of a foreach() with its element variables; `positions` includes those of the enclosing calls. */
  inner(expression: Expression, elements: readonly Sql[], positions: string): Sql;

  /** A call of the local function; the arguments are unconverted, because the local evaluator converts them. */
  local(name: string, args: readonly Sql[], type: ColumnType): Sql;
}
