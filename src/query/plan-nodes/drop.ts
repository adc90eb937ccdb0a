// Hands on no row.

import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

interface Drop extends Step {
  readonly kind: 'drop';
}

export const drop: PlanNodeDeclaration<Drop> = {
  kind: 'drop',
  takes: 'as-needed',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: { exactly: 0n },
  sql: ({ input, rows }, compiler) =>
    compiler.select(rows, { from: `(${compiler.planNode(input)})`, tail: 'where false' }),
  local: { row: () => () => false },
};
