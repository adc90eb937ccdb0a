// What the host works out for a row of a statement (15.10).

import type { Sql } from '#query/dialects/dialect.ts';
import { HostExpression } from '#query/dialects/duckdb/host-expression.ts';
import { tokenOf } from '#query/dialects/duckdb/tokens.ts';
import type { ColumnType, Value } from '#query/values.ts';
import type { PlanCompiler } from './plan-compiler.ts';

export function onHost(
  evaluate: (values: readonly Value[]) => Value,
  values: readonly Sql[],
  { type, compiler }: { type: ColumnType; compiler: PlanCompiler },
): Sql {
  const token = compiler.bind(tokenOf(new HostExpression(evaluate, compiler.around.run), compiler.around.run));
  return compiler.writer().host('expression', [token, ...values], type);
}
