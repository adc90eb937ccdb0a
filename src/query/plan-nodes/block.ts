// serial, parallel: `input` is the last node of the bracket, and the node before the command is the input of the first.

import { unchanged } from './local-form.ts';
import type { PlanNode, Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

export interface Block extends Step {
  readonly kind: 'block';
  readonly bracket: readonly PlanNode[];
}

export const block: PlanNodeDeclaration<Block> = {
  kind: 'block',
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
