// What is asked of a store that can give few rows in place of many records.

import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

export interface PlannedCondensing {
  /** Outside of it no row matters. */
  readonly range: TimeRange;
  readonly facts: RunFacts;
}

/** Of rows that a node hands on. */
export interface Counting extends PlannedCondensing {
  readonly planNode: PlanNode;
}

export interface Condensing extends PlannedCondensing {
  /** The node whose input is wanted. */
  readonly planNode: PlanNode;
  readonly session: RunSession;
}
