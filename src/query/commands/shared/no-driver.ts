// bypass and drop as first command: a driver without rows and columns (7.2).

import { NAMED_BY_VALUES } from '#query/model/columns.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/** No rows, of which any name counts as known; undefined behind a driver. */
export function noRowsAtBeginning(planning: CommandPlanning<unknown>): KnownPlanNode | undefined {
  if (planning.pipeline.input) return undefined;
  const sequence = planning.hiddenColumn();
  const rows = { columns: [], ...NAMED_BY_VALUES, order: [{ column: sequence, descending: false }] };
  return { ...planning.planNode(rows), kind: 'json', values: [], sequence };
}
