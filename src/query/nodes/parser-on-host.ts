// A named parser (7.2) runs in the host: its body is a pipeline of single rows over the field `line`.

import { compileSteps } from '#query/host/row-steps.ts';
import type { Value } from '#query/model/values.ts';
import type { PlanNode } from './plan.ts';
import type { CompileContext } from './sql-compiler.ts';

/** Null where the text is null or the body keeps the row back. */
export function parserOnHost(
  body: PlanNode,
  { run, constants = new Map() }: CompileContext,
): (values: readonly Value[]) => Value {
  const steps = compileSteps(body, { run, constants });
  return ([line = null]) => (line === null ? null : (steps(new Map([['line', line]])) ?? null));
}
