// bypass, and set or setq between other commands: all rows go on.

import { type NodeDeclaration, nothing } from './node.ts';
import type { Step } from './plan.ts';

interface Pass extends Step {
  readonly kind: 'pass';
}

export const pass: NodeDeclaration<Pass> = {
  kind: 'pass',
  takes: 'each',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'kept',
  counts: 'as-input',
  isSelection: () => true,
  sql: ({ input }, compiler) => compiler.node(input),
  host: { row: () => () => true },
};
