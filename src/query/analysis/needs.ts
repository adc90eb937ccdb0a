// What a plan needs of the tables it scans: which columns, which keys of the overflow, and which span of time. Pure over
// the plan.

import type { ColumnId } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import { declarationOf, inputsOf, scanOf } from '#query/nodes/facts.ts';
import type { Plan, PlanNode } from '#query/nodes/plan.ts';
import { type OverflowNeed, Reading } from '#query/nodes/shared/reading.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { timeBounds } from './time-bounds.ts';

interface ScanNeeds {
  readonly scan: Scan;
  /** Ids of `scan.rows.columns`; columns that order the rows are among them only where the order is read. */
  readonly columns: ReadonlySet<ColumnId>;
  readonly overflow: OverflowNeed;
  /** No row outside it can reach the result: the range of the command, narrowed by comparisons of `_time` after it. */
  readonly range: TimeRange;
}

/** Of the scans of a plan and its subqueries, in the order of the text; those of setq are in plans of their own. */
export function scanNeeds(plan: Plan, zone: string): ScanNeeds[] {
  const reading = new Reading();
  reading.wholeRows(plan.result.rows);
  const scans = new Set<Scan>();
  visit(plan.result, reading, scans);
  const bounds = timeBounds(plan.result, zone);
  return [...scans]
    .map((scan) => ({
      scan,
      columns: new Set(scan.rows.columns.map(({ id }) => id).filter((id) => reading.isRead(id))),
      overflow: scan.rows.overflow ? reading.overflowNeed(scan.rows.overflow) : ('none' as const),
      range: bounds.get(scan) ?? scan.range,
    }))
    .sort((one, other) => one.scan.begin - other.scan.begin);
}

function visit(node: PlanNode, reading: Reading, scans: Set<Scan>): void {
  declarationOf(node).reads(node, reading);
  const scan = scanOf(node);
  if (scan) scans.add(scan);
  for (const input of inputsOf(node)) visit(input, reading, scans);
}
