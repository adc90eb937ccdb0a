// Random and encrypted bytes, which the host computes. A key stays in the host; DuckDB sees only the token of its
// holder. A random number is a further argument of calls that must differ from row to row, so that DuckDB calls for
// every row.

import type { Call } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import { HostExpression } from '#query/sql/host-expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { tokenOf } from '#query/sql/tokens.ts';
import { argumentAt, constantAt } from './arguments.ts';
import type { Forms } from './index.ts';

const RANDOM_ARGUMENT: Sql = { text: 'random()', type: 'double' };

export const secrets: Forms = {
  encrypt: (call, compiler) => keyedCall(call, compiler, [RANDOM_ARGUMENT]),
  decrypt: (call, compiler) => keyedCall(call, compiler, []),
  randbytes: (call, compiler) => compiler.host('randbytes', [argumentAt(call, 0, compiler), RANDOM_ARGUMENT], 'binary'),
};

function keyedCall(call: Call, compiler: Compiler, more: readonly Sql[]): Sql {
  const { run } = compiler.scope;
  const key = constantAt(call, 0, compiler) ?? null;
  const evaluate = ([value = null]: readonly Value[]) =>
    key === null || value === null ? null : (call.called.host?.([key, value], run) ?? null);
  const token = compiler.bind(tokenOf(new HostExpression(evaluate, run), run));
  return compiler.host('expression', [token, argumentAt(call, 1, compiler), ...more], 'binary');
}
