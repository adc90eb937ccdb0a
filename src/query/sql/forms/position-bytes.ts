// The bytes that the body of a foreach() reads and makes at every position, as far as they are known in advance:
// columns, elements of enclosing calls, constants, and the padding of lpad() and rpad(). DuckDB copies all of it for
// each position.

import { type Call, childrenOf, type Expression, type FieldRead, isConstant } from '#query/model/expression.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';

/** Shorter constants are ignored. */
const SHORT = 64;
const MAX_PADDED = 10_000;

/** Terms of a sum in SQL. `depth` counts the foreach() calls between the body and the expression. */
export function bytesPerPosition(expression: Expression, compiler: ExpressionCompiler, depth = 0): string[] {
  if (isConstant(expression)) {
    const { length } = taggedJson(compiler.constant(expression));
    return length > SHORT ? [String(length)] : [];
  }
  if (expression.kind === 'field') return fieldBytes(expression, compiler, depth);
  if (expression.kind !== 'call')
    return childrenOf(expression).flatMap((one) => bytesPerPosition(one, compiler, depth));
  const [first, ...others] = expression.args;
  const name = expression.called.name;
  const inner = name === 'foreach' && first ? bytesPerPosition(first, compiler, depth + 1) : [];
  const args = name === 'foreach' ? others : expression.args;
  const padded = paddedBytes(expression, compiler);
  const own = padded > 0 ? [String(padded)] : [];
  return [...inner, ...own, ...args.flatMap((arg) => bytesPerPosition(arg, compiler, depth))];
}

const TEXTS: readonly string[] = ['string', 'any', 'list', 'map', 'binary'];

function fieldBytes(field: FieldRead, compiler: ExpressionCompiler, depth: number): string[] {
  const { source, type } = field;
  if (!source || source.kind === 'absent') return [];
  // The elements of the call itself are as long together as its lists, which are counted already.
  if (source.kind === 'element' && source.level <= depth) return [];
  if (source.kind !== 'element' && !TEXTS.includes(type)) return [];
  const outer =
    source.kind === 'element' ? { ...field, source: { ...source, level: source.level - depth - 1 } } : field;
  return [`coalesce(strlen(${compiler.compile(outer).text}::varchar), 0)`];
}

/** The maximum padding of lpad() and rpad(). */
export function paddedBytes({ called: { name }, args: [, count] }: Call, compiler: ExpressionCompiler): number {
  if (name !== 'lpad' && name !== 'rpad') return 0;
  const known = count && isConstant(count) ? Number(compiler.constant(count)) : MAX_PADDED;
  return known > SHORT ? Math.min(known, MAX_PADDED) : 0;
}
