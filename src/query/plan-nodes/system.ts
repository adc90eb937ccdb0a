// Rows about objects of the service itself: the local evaluator makes a table of them before a statement reads them.

import { MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { MapValue } from '#query/model/values.ts';
import type { PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';

export interface SystemRows extends PlanNode {
  readonly kind: 'system';
  readonly object: string;
  /** Bounds of `_time`. */
  readonly range?: TimeRange;
  /** Whether columns that are expensive to make are among its rows. */
  readonly isVerbose?: boolean;
  /** The account whose rights decide which rows there are; absent: the account that runs the query. */
  readonly account?: string;
}

interface SystemReading {
  /** Rows as the account that the node names may see them, or the caller. */
  systemRows(node: SystemRows): AsyncIterable<readonly MapValue[]>;
}

export const system: PlanNodeDeclaration<SystemRows, SystemReading> = {
  kind: 'system',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  isCountedFast: true,
  effect: (node) => ({
    kind: 'rows',
    reach: node.object === MEMORY_LOOKUPS ? 'asks' : 'reads',
    open: (services) => services.systemRows(node),
  }),
  sql: onlyLocal,
};
