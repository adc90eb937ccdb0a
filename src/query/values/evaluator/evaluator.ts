// The local evaluator: compiles an expression to a closure that is called per row. It defines the meaning of the
// language in plain TypeScript; SQL must give the same values.

import type { AggregateCall, Expression, FieldRead } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { converterTo } from '#query/values/conversions.ts';
import { Compiler } from './compiled-expression.ts';

type Evaluator<Row> = (row: Row) => Value;

export interface EvaluationScope<Row> {
  /** Read at every evaluation, so a change of `now` takes effect at once. */
  readonly run: RunFacts;
  readonly constants: ReadonlyMap<string, Value>;
  /** Returns the reader of a field; called once per field of the expression, but not for elements of foreach(). */
  readonly field: (field: FieldRead) => (row: Row) => Value;
}

export function compileExpression<Row>(expression: Expression, scope: EvaluationScope<Row>): Evaluator<Row> {
  const compiled = new Compiler(scope).compile(expression);
  return (row) => compiled(row, undefined);
}

/** The test of search and if(): true if the value is true by 4.1. */
export function compileCondition<Row>(expression: Expression, scope: EvaluationScope<Row>): (row: Row) => boolean {
  const compiled = new Compiler(scope).test(expression);
  return (row) => compiled(row, undefined);
}

/** An aggregate over the rows of one group, in their order. */
export function compileAggregate<Row>(
  { called, args }: AggregateCall,
  scope: EvaluationScope<Row>,
): (rows: readonly Row[]) => Value {
  const read = args.map((arg, index) => {
    const evaluate = compileExpression(arg, scope);
    const convert = converterTo(called.args[index]?.type ?? 'any');
    return (row: Row) => convert(evaluate(row), scope.run.zone);
  });
  return (rows) =>
    called.local(
      rows.map((row) => read.map((one) => one(row))),
      scope.run,
    );
}

/** The value of an expression that reads no field. Its steps do not count for a row: constants are limited before. */
export function evaluateConstant(expression: Expression, run: RunFacts, constants: ReadonlyMap<string, Value>): Value {
  const scope = { run: run.steps ? withoutSteps(run) : run, constants, field: () => () => null };
  return compileExpression<undefined>(expression, scope)(undefined);
}

function withoutSteps({ steps: _, ...run }: RunFacts): RunFacts {
  return run;
}
