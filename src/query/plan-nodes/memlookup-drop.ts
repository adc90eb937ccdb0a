// Removes a lookup from memory at the end of the run; has no row.

import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { LookupName } from './shared/lookup-rows.ts';

interface MemoryDrop extends PlanNode, LookupName {
  readonly kind: 'memlookup-drop';
}

export const memlookupDrop: PlanNodeDeclaration<MemoryDrop> = {
  kind: 'memlookup-drop',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: { exactly: 0n },
  effect: (node) => ({ kind: 'forget', reach: 'changes', lookup: node }),
  sql: () => 'select 1 as nothing where false',
};
