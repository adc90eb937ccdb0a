// Constant expressions are evaluated while a query is planned, as soon as the constants they read have values. So in the
// plan of a query that runs a constant is a literal, and the checks that a function makes of its constants run here again.

import { type Expression, isConstant, type Literal, someWithin } from '#query/model/expression.ts';
import type { Argument } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { RunFailure, ValueTooLarge } from '#query/values/failures.ts';
import { literal, notConstant } from '#query/values/typing.ts';
import type { Scope } from './resolve.ts';

/** The literal of a constant; anything else, and a constant whose value is not there yet, stays as it is. */
export function folded(expression: Expression, scope: Scope): Expression {
  const { evaluate } = scope.queryContext;
  if (expression.kind === 'literal' || expression.kind === 'pattern' || expression.kind === 'field') return expression;
  if (!evaluate || !isConstant(expression)) return expression;
  if (scope.isMomentary && someWithin(expression, isOfMoment)) return expression;
  const isPending = (inner: Expression) => inner.kind === 'parameter' && scope.constants.valueOf(inner) === undefined;
  if (someWithin(expression, isPending)) return expression;
  scope.work.begin(expression, scope.constants.values);
  try {
    const value = evaluate(expression, scope.constants.values);
    scope.work.end(expression, value);
    return literal(value, expression);
  } catch (failure) {
    if (failure instanceof ValueTooLarge) throw scope.work.exceeded(expression);
    // A value that is too large ends a run, not a check: the expression stays and fails in its place.
    if (failure instanceof RunFailure || failure instanceof RangeError) return expression;
    throw failure;
  }
}

const isOfMoment = (inner: Expression): boolean => inner.kind === 'call' && inner.called.momentary === true;

/**
 * Checks the constants among the arguments, those included that have just become known. A pattern or a time unit can come
 * from a parameter; then the error stands at the whole argument.
 */
export function knownArguments(
  called: { readonly name: string; readonly args: readonly Argument[] },
  args: readonly Expression[],
  { queryContext: { groups, evaluate }, isMomentary }: Scope,
): readonly Expression[] {
  const [first] = args;
  if (called.args[0]?.isGroup && first?.kind === 'literal' && typeof first.value === 'string') {
    const guid = first.value.toLowerCase();
    if (!groups.has(guid)) throw new QueryError(21301, first, { name: first.value });
  }
  return args.map((arg, index) => {
    const { check, constant, type = 'any' } = called.args[Math.min(index, called.args.length - 1)] ?? {};
    // A value that changes with the moment cannot be checked before.
    if (constant && isMomentary && evaluate && arg.kind !== 'literal') {
      throw notConstant(arg, { name: called.name, position: index + 1, type });
    }
    if (!check || arg.kind !== 'literal' || arg.value === null || arg.inner) return arg;
    const known = withInner(arg, arg.value);
    try {
      check(known, { name: called.name, position: index + 1 });
    } catch (failure) {
      if (!(failure instanceof QueryError)) throw failure;
      throw new QueryError(failure.code, arg, failure.values, failure.help);
    }
    return known;
  });
}

const withInner = (arg: Literal, value: Value): Literal =>
  typeof value === 'string'
    ? { ...arg, inner: { text: value, offset: (index) => (index > 0 ? arg.end : arg.begin) } }
    : arg;
