// Values that the local evaluator computes for a row of a statement (15.10).

import type { ColumnType, Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { LocalExpression } from '#query/sql/local-expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { tokenOf } from '#query/sql/tokens.ts';

export function evaluatedLocally(
  evaluate: (values: readonly Value[]) => Value,
  values: readonly Sql[],
  { type, compiler }: { type: ColumnType; compiler: PlanCompiler },
): Sql {
  const { run } = compiler.context;
  const token = compiler.bind(tokenOf(new LocalExpression(evaluate, run), run));
  return compiler.writer().local('expression', [token, ...values], type);
}

/** The local form of a sink. */
export const handedToSink = { isSink: true, row: () => () => true } as const;

/** The SQL of a node that runs locally: its rows are a stage before any statement reads them. */
export function onlyLocal({ command }: PlanNode): never {
  throw new Error(`${command} is no part of a statement`);
}
