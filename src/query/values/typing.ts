// Builds expression nodes: each function infers the type of its result and rejects operands of impossible types. The
// parser calls them with fields of type any, the planner again with the types of real columns.

import {
  type Arithmetic,
  type Call,
  type Comparison,
  type Expression,
  isConstant,
  type Literal,
  type Logic,
  type Negation,
  type Span,
} from '#query/model/expression.ts';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type ColumnType, isNumeric, typeOf, type Value } from '#query/model/values.ts';
import { numberOfText } from './conversions.ts';

export const literal = (value: Value, span: Span): Literal => ({
  kind: 'literal',
  value,
  type: typeOf(value),
  begin: span.begin,
  end: span.end,
});

/** The minus before a number is part of the literal; a second minus is an operation. */
export function negation(operand: Expression, span: Span): Negation | Literal {
  if (operand.kind === 'literal' && isPositive(operand.value)) return literal(negative(operand.value), span);
  requireNumber(operand);
  const type = isNumeric(operand.type) || operand.type === 'null' ? operand.type : 'any';
  return { kind: 'negation', operand, type, begin: span.begin, end: span.end };
}

export function arithmetic(operator: Arithmetic['operator'], left: Expression, right: Expression): Arithmetic {
  requireNumber(left);
  requireNumber(right);
  const type = arithmeticType(operator, left.type, right.type);
  return { kind: 'arithmetic', operator, left, right, type, begin: left.begin, end: right.end };
}

export const comparison = (operator: Comparison['operator'], left: Expression, right: Expression): Comparison => ({
  kind: 'comparison',
  type: 'bool',
  operator,
  left,
  right,
  begin: left.begin,
  end: right.end,
});

export const logic = (operator: Logic['operator'], operands: readonly Expression[], span: Span): Logic => ({
  kind: 'logic',
  type: 'bool',
  operator,
  operands,
  begin: span.begin,
  end: span.end,
});

export function call(called: FunctionDeclaration, args: readonly Expression[], span: Span): Call {
  checkArguments(called, args, span);
  called.check?.(args, span);
  const named = args.map((arg, index) => renamed(arg, declaredAt(called, index)));
  const type = typeof called.result === 'function' ? called.result(named) : called.result;
  return { kind: 'call', called, args: named, type, begin: span.begin, end: span.end };
}

/** A text with several spellings gets the one of normalized text. */
function renamed(arg: Expression, declared: Argument | undefined): Expression {
  if (!declared?.named || arg.kind !== 'literal' || typeof arg.value !== 'string') return arg;
  const value = declared.named(arg.value);
  return value === arg.value ? arg : { ...arg, value };
}

const declaredAt = ({ args }: { readonly args: readonly Argument[] }, index: number): Argument | undefined =>
  args[Math.min(index, args.length - 1)];

/** Checks the count, the constants and the rules of single arguments; also for aggregates. */
export function checkArguments(
  called: { readonly name: string; readonly args: readonly Argument[] },
  args: readonly Expression[],
  span: Span,
): void {
  const { least, most } = countsOf(called.args);
  if (args.length < least || args.length > most) throw wrongCount(called, args.length, span);
  args.forEach((given, index) => {
    checkArgument(called.name, declaredAt(called, index), given, index + 1);
  });
}

function countsOf(args: readonly Argument[]) {
  const least = args.filter(({ optional }) => !optional).length;
  return { least, most: args.at(-1)?.rest ? Number.POSITIVE_INFINITY : args.length };
}

export function wrongCount(
  called: { readonly name: string; readonly args: readonly Argument[] },
  given: number,
  span: Span,
): QueryError {
  const { least, most } = countsOf(called.args);
  return new QueryError(90301, span, { name: called.name, n: countText(least, most), given });
}

function checkArgument(name: string, declared: Argument | undefined, given: Expression, position: number): void {
  if (declared?.secret && !isSecret(given)) {
    const about = { n: position, name, type: '$("name")' };
    throw new QueryError(90302, given, about, { hints: [{ code: 91048 }] });
  }
  if (declared?.constant && !isConstant(given)) throw notConstant(given, { name, position, type: declared.type });
  if (given.kind === 'literal' && given.value !== null) declared?.check?.(given, { name, position });
}

/** In a plan the value of the parameter stands in its place. */
const isSecret = (given: Expression): boolean =>
  given.kind === 'parameter' ? given.fallback === undefined : given.kind === 'literal' && given.isSecret === true;

export const notConstant = (span: Span, about: { name: string; position: number; type: string }) =>
  new QueryError(90302, span, { n: about.position, name: about.name, type: about.type });

function countText(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `${least}+`;
  return least === most ? String(least) : `${least}–${most}`;
}

function arithmeticType(operator: Arithmetic['operator'], left: ColumnType, right: ColumnType): ColumnType {
  if (left === 'null' || right === 'null') return 'null';
  if (operator === '/' || left === 'double' || right === 'double') return 'double';
  return left === 'long' && right === 'long' ? 'long' : 'any';
}

/** Rejects texts that are no numbers, and dates, as operands of arithmetic (90208, 90209). */
function requireNumber(operand: Expression): void {
  if (operand.type === 'date') throw new QueryError(90209, operand);
  if (operand.kind !== 'literal' || typeof operand.value !== 'string') return;
  if (numberOfText(operand.value) === null) throw new QueryError(90208, operand);
}

const isPositive = (value: Value): value is bigint | number =>
  (typeof value === 'bigint' && value >= 0n) || (typeof value === 'number' && !Object.is(value, -0) && value >= 0);

const negative = (value: bigint | number): bigint | number => -value as typeof value;
