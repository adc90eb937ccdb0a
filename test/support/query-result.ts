// What running a query in a test gives.

import type { StageCounts } from '#query/analysis/push-counts.ts';
import type { Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

export type Row = ReadonlyMap<string, Value>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** Known columns, then keys of the overflow. */
  readonly columns: readonly string[];
  readonly pushes: readonly bigint[];
  readonly stageCounts: ReadonlyMap<PlanNode, StageCounts>;
  /** By a statement of its own. */
  readonly counted: (node: PlanNode) => Promise<bigint>;
  readonly isOrdered: boolean;
  /** Those of the caller and those that the text sets. */
  readonly constants: ReadonlyMap<string, Value>;
  readonly normalized: string;
  readonly warnings: readonly number[];
}
