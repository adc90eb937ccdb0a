// Rows as they arrive, in that order, for `length` from the start of the run; none that is stored. A value of any type may
// arrive in any column, and fields that no column is known for.

import type { Duration } from '#query/model/durations.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { PlanNode } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';
import { namesOf, type TableSource } from './shared/scans.ts';
import type { TextSearch } from './shared/text-condition.ts';
import { textTest } from './shared/text-search.ts';

export interface WindowScan extends PlanNode {
  readonly kind: 'window';
  readonly tables: readonly TableSource[];
  readonly length: Duration;
  readonly offset: bigint;
  readonly limit?: bigint;
  /** The value of `_node`. */
  readonly node: string;
  /** Hidden: the position of a row in the order of arrival. */
  readonly sequence: ColumnId;
  /** Only rows that hold these terms are handed on; no subquery is among them. */
  readonly sought?: TextSearch;
}

export const window: PlanNodeDeclaration<WindowScan> = {
  kind: 'window',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  pushdown: 'lost',
  counts: 'counted',
  cut: ({ offset, limit }) => ({ offset, limit }),
  effect: ({ tables, length }) => ({ kind: 'arrivals', reach: 'reads', tables: namesOf(tables), length }),
  sql: onlyLocal,
  local: {
    begins: () => true,
    row: ({ sought, rows }, scope) => (sought ? textTest(sought, rows, scope) : () => true),
  },
};
