// A named parser (7.2) runs in the host: its body is a pipeline of single rows over the field `line`.

import { compileSteps } from '#query/evaluate/row-steps.ts';
import type { PlanNode } from '#query/plan.ts';
import type { Value } from '#query/values.ts';
import type { PlanSurroundings } from './plan-compiler.ts';

/** Null where the text is null or the body keeps the row back. */
export function parserOnHost(
  body: PlanNode,
  { run, constants = new Map() }: PlanSurroundings,
): (values: readonly Value[]) => Value {
  const steps = compileSteps(body, { run, constants });
  return ([line = null]) => (line === null ? null : (steps(new Map([['line', line]])) ?? null));
}
