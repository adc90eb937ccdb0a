// Records from outside, at the bottom of a pipeline without a driver.

import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

interface InlineRows extends PlanNode {
  readonly kind: 'given';
}

export const given: PlanNodeDeclaration<InlineRows> = {
  kind: 'given',
  takes: 'records',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  sql() {
    throw new Error('records from outside are not read by a statement');
  },
};
