// Random and encrypted bytes, which the local evaluator computes. A key stays in this process; DuckDB sees only the token of its
// holder. A random number is a further argument of calls that must differ from row to row, so that DuckDB calls for
// every row.

import type { Call } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { LocalExpression } from '#query/sql/local-expression.ts';
import type { Sql } from '#query/sql/scope.ts';
import { tokenOf } from '#query/sql/tokens.ts';
import { argumentAt, constantAt } from './arguments.ts';
import type { Forms } from './form.ts';

const RANDOM_ARGUMENT: Sql = { text: 'random()', type: 'double' };

export const secrets: Forms = {
  encrypt: (call, compiler) => keyedCall(call, compiler, [RANDOM_ARGUMENT]),
  decrypt: (call, compiler) => keyedCall(call, compiler, []),
  randbytes: (call, compiler) =>
    compiler.local('randbytes', [argumentAt(call, 0, compiler), RANDOM_ARGUMENT], 'binary'),
};

/** Cipher and key stay in this process; the data and the iv are arguments. */
function keyedCall(call: Call, compiler: ExpressionCompiler, more: readonly Sql[]): Sql {
  const { run } = compiler.scope;
  const fixed = [0, 1].map((index) => constantAt(call, index, compiler) ?? null);
  const count = call.args.length - fixed.length;
  const evaluate = (given: readonly Value[]) => {
    const args = [...fixed, ...given.slice(0, count)];
    return args.includes(null) ? null : (call.called.local?.(args, run) ?? null);
  };
  const token = compiler.bind(tokenOf(new LocalExpression(evaluate, run), run));
  const given = call.args.slice(fixed.length).map((arg) => compiler.compile(arg));
  return compiler.local('expression', [token, ...given, ...more], 'binary');
}
