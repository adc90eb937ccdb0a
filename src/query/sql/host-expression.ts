// An expression that the host evaluates row by row. DuckDB's time to plan grows with the third power of the depth of an
// expression, so that a deep one, which nobody writes by hand, would hold a thread for minutes.

import { childrenOf, type Expression, type FieldRead, someWithin } from '#query/model/expression.ts';
import type { RunFacts, Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { compileExpression } from '#query/values/evaluator.ts';
import type { Compiler } from './compiler.ts';
import type { Sql } from './scope.ts';
import { tokenOf } from './tokens.ts';

const MAX_DEPTH = 24;

/** seq() counts rows in an order that only the statement knows. */
export const isTooDeep = (expression: Expression): boolean =>
  depthOf(expression) > MAX_DEPTH &&
  !someWithin(expression, (inner) => inner.kind === 'call' && inner.called.name === 'seq');

const depthOf = (expression: Expression): number =>
  1 + childrenOf(expression).reduce((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);

export class HostExpression {
  readonly #evaluate: (fields: readonly Value[]) => Value;
  readonly #steps: Steps | undefined;

  constructor(evaluate: (fields: readonly Value[]) => Value, { steps }: RunFacts) {
    this.#evaluate = evaluate;
    this.#steps = steps;
  }

  /** For one row. */
  evaluate(fields: readonly Value[]): Value {
    this.#steps?.beginRecord();
    return this.#evaluate(fields);
  }
}

export function hostExpression(expression: Expression, compiler: Compiler): Sql {
  const { run, constants } = compiler.scope;
  const fields: FieldRead[] = [];
  const placeOf = (field: FieldRead): number => {
    const known = fields.findIndex(({ name, source }) => name === field.name && isSameSource(source, field.source));
    return known === -1 ? fields.push(field) - 1 : known;
  };
  const evaluate = compileExpression<readonly Value[]>(expression, {
    run,
    constants,
    field: (field) => {
      const place = placeOf(field);
      return (values) => values[place] ?? null;
    },
  });
  const token = compiler.bind(tokenOf(new HostExpression(evaluate, run), run));
  const values = fields.map((field) => compiler.compile(field));
  return compiler.host('expression', [token, ...values], expression.type);
}

const isSameSource = (left: FieldRead['source'], right: FieldRead['source']): boolean =>
  left?.kind === right?.kind && (left && 'id' in left ? left.id : -1) === (right && 'id' in right ? right.id : -1);
