// Stores its rows in a table; all of them go on. The engine stores the rows of its input, which are a stage.

import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { handedToSink } from './shared/local-rows.ts';

export interface Import extends Step {
  readonly kind: 'import';
  readonly table: string;
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

export const importPlanNode: PlanNodeDeclaration<Import> = {
  kind: 'import',
  takes: 'all-always',
  expressions: nothing,
  makes: nothing,
  reads: ({ input }, reading) => reading.wholeRows(input.rows),
  pushdown: 'lost',
  counts: 'as-input',
  effect: ({ table }) => ({ kind: 'ingest', reach: 'changes', table }),
  sql: ({ input }, compiler) => compiler.planNode(input),
  local: handedToSink,
};
