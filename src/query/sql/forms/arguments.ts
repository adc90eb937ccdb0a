// Arguments of calls as SQL forms need them: compiled, constant, or as text.

import { type Call, type Expression, isConstant } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { textOf } from '#query/values/conversions.ts';
import { type Charset, charsetOf } from '#query/values/text/charsets.ts';

/** Each argument compiled, unconverted. */
export const compiled = ({ args }: Call, compiler: ExpressionCompiler): Sql[] =>
  args.map((arg) => compiler.compile(arg));

/** The value of an argument that is a constant of the run; undefined if it is not constant or absent. */
export function constantAt({ args }: Call, index: number, compiler: ExpressionCompiler): Value | undefined {
  const arg: Expression | undefined = args[index];
  return arg && isConstant(arg) ? compiler.constant(arg) : undefined;
}

/** The text of an argument that must be constant by its declaration; null if its value is null. */
export function wordAt(call: Call, index: number, compiler: ExpressionCompiler): string | null {
  const value = constantAt(call, index, compiler) ?? null;
  return textOf(value, compiler.scope.run.zone);
}

/** The charset of an optional argument; null if its value is null. */
export function charsetAt(call: Call, index: number, compiler: ExpressionCompiler): Charset | null {
  if (index >= call.args.length) return 'utf-8';
  const name = wordAt(call, index, compiler);
  return name === null ? null : charsetOf(name);
}

export function argumentAt({ args }: Call, index: number, compiler: ExpressionCompiler): Sql {
  const arg = args[index];
  return arg ? compiler.compile(arg) : { text: 'null', type: 'null', isPlain: true };
}
