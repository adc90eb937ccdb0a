import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

/** Every node of a checked plan is of a kind that there is. */
export const known = <N extends PlanNode>(node: N): KnownPlanNode => node as unknown as KnownPlanNode;
