// Writes rows to a stored lookup; all rows of its input go on, and the former rows of the lookup are read until the phase ends.

import type { KnownColumn } from '#query/model/columns.ts';
import type { FlushingSink } from './effect.ts';
import type { PlanNode, Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { handedToSink } from './shared/local-rows.ts';

export interface LookupFill extends Step {
  readonly kind: 'outputlookup';
  readonly lookup: string;
  /** GUID of the lookup; absent where the sink makes it. */
  readonly stored?: string;
  readonly key: string;
  /** All columns of the lookup. */
  readonly columns: readonly KnownColumn[];
  readonly append: boolean;
  /** The rows to write, made of `input`: the first of each key. */
  readonly records: PlanNode;
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

interface LookupSinks {
  /** A stored lookup. */
  lookupSink(node: LookupFill): Promise<FlushingSink>;
}

export const outputlookup: PlanNodeDeclaration<LookupFill, LookupSinks> = {
  kind: 'outputlookup',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({
    kind: 'sink',
    reach: 'changes',
    distinct: node,
    open: (services) => services.lookupSink(node),
  }),
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: handedToSink,
};
