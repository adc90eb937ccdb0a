// The host evaluator: an expression becomes a closure over a row, made once and called per row. It is the meaning of
// the language in plain TypeScript; the SQL dialects must give the same values.

import type { AggregateCall, Expression, FieldRead } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { Compiler } from './compiled-expression.ts';
import { converterTo } from './conversions.ts';

type Evaluator<Row> = (row: Row) => Value;

export interface EvaluationScope<Row> {
  /** Read with every evaluation: where `now` changes, it counts as it is then. */
  readonly run: RunFacts;
  readonly constants: ReadonlyMap<string, Value>;
  /** How a field is read; asked once per field of the expression. Elements of foreach() are not asked for. */
  readonly field: (field: FieldRead) => (row: Row) => Value;
}

export function compileExpression<Row>(expression: Expression, scope: EvaluationScope<Row>): Evaluator<Row> {
  const compiled = new Compiler(scope).compile(expression);
  return (row) => compiled(row, undefined);
}

/** Whether a row is kept (4.1): of what search and if() ask. */
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
    called.host(
      rows.map((row) => read.map((one) => one(row))),
      scope.run,
    );
}

/** The value of an expression that reads no field. It is no work of a row: how much it may be is counted before. */
export function evaluateConstant(expression: Expression, run: RunFacts, constants: ReadonlyMap<string, Value>): Value {
  const scope = { run: run.steps ? withoutSteps(run) : run, constants, field: () => () => null };
  return compileExpression<undefined>(expression, scope)(undefined);
}

function withoutSteps({ steps: _, ...run }: RunFacts): RunFacts {
  return run;
}
