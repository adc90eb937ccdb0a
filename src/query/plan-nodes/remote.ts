// A query that a node of the service runs; its rows are those of its own plan.

import type { Plan, PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

interface RemoteRun extends PlanNode {
  readonly kind: 'remote';
  /** A name, or a star for all of them. */
  readonly node: string;
  readonly right: Plan;
}

export const remote: PlanNodeDeclaration<RemoteRun> = {
  kind: 'remote',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'kept',
  counts: ({ right }) => ({ sumOf: [right.result] }),
  subqueries: { plans: ({ right }) => [right], taken: 'as-needed' },
  sql: ({ right }, compiler) => compiler.planNode(right.result),
};
