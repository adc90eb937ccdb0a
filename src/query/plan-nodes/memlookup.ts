// Keeps a lookup in memory; all rows go on.

import type { PlanNode, Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { LookupName } from './shared/lookup-rows.ts';

export interface MemoryBuild extends Step, LookupName {
  readonly kind: 'memlookup';
  /** The column of `records` that is the key. */
  readonly key: string;
  /** The rows of the lookup, made of `input`: the first of each key. */
  readonly records: PlanNode;
}

export const memlookup: PlanNodeDeclaration<MemoryBuild> = {
  kind: 'memlookup',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({ kind: 'build', reach: 'changes', lookup: node, key: node.key, records: node.records }),
  sql: ({ input }, compiler) => compiler.planNode(input),
};
