// bypass, and set or setq between other commands: all rows go on.

import { unchanged } from './local-form.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

interface Pass extends Step {
  readonly kind: 'pass';
}

export const pass: PlanNodeDeclaration<Pass> = {
  kind: 'pass',
  takes: 'each',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'kept',
  counts: 'as-input',
  isSelection: () => true,
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: unchanged,
};
