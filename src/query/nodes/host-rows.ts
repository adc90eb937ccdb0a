// What the host works out for a row of a statement (15.10).

import type { ColumnType, Value } from '#query/model/values.ts';
import { HostExpression } from '#query/sql/host-expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { tokenOf } from '#query/sql/tokens.ts';
import type { PlanCompiler } from './sql-compiler.ts';

export function onHost(
  evaluate: (values: readonly Value[]) => Value,
  values: readonly Sql[],
  { type, compiler }: { type: ColumnType; compiler: PlanCompiler },
): Sql {
  const token = compiler.bind(tokenOf(new HostExpression(evaluate, compiler.around.run), compiler.around.run));
  return compiler.writer().host('expression', [token, ...values], type);
}
