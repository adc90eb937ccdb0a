// Comparisons of `_time` with constants, moved into the ranges of the scans below them.

import type { TimeRange } from '#query/model/times.ts';
import { declarationOf, inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import {
  type Bounds,
  NO_BOUNDS,
  narrowed,
  throughColumns,
  withComparisons,
} from '#query/plan-nodes/shared/time-bounds.ts';
import { conditionOn, throughOf } from './pushdown.ts';

export function timeBounds(result: PlanNode, zone: string): Map<Scan, TimeRange> {
  const found = new Map<Scan, TimeRange>();
  const descend = (node: PlanNode, bounds: Bounds): void => {
    const scan = scanOf(node);
    if (scan) found.set(scan, scanRange(scan, bounds, zone));
    for (const input of inputsOf(node)) descend(input, boundsBelow(node, input, { bounds, zone }));
  };
  descend(result, NO_BOUNDS);
  return found;
}

interface BoundsAbove {
  readonly bounds: Bounds;
  readonly zone: string;
}

/** The bounds that hold for the rows of an input, of those that hold for the rows of the node. */
function boundsBelow(node: PlanNode, input: PlanNode, { bounds, zone }: BoundsAbove): Bounds {
  const through = throughOf(node, input);
  const kept = through === 'kept' ? bounds : through === 'lost' ? NO_BOUNDS : throughColumns(through, bounds);
  const own = conditionOn(node, input);
  return own ? withComparisons(own, zone, kept) : kept;
}

/** A cut of the ordered rows of a scan keeps out all bounds from above. */
function scanRange(scan: Scan, bounds: Bounds, zone: string): TimeRange {
  const own = declarationOf(scan).scan?.range(scan, zone) ?? scan.range;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  const isCut = scan.limit !== undefined || scan.offset > 0n;
  return narrowed(own, (time && !isCut && bounds.get(time.id)) || {});
}
