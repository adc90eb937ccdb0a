// Comparisons of `_time` with constants, moved into the ranges of the scans below them (15.3, rules 3 and 4). A bound is
// only taken where it may cross every node between: it narrows the rows that are read and never replaces the comparison
// itself, because the counts of commands follow the text.

import { isVolatile } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import { declarationOf, expressionsOf, inputsOf, scanOf } from '#query/nodes/facts.ts';
import type { BoundsAbove } from '#query/nodes/node.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { type Bounds, NO_BOUNDS, narrowed } from '#query/nodes/shared/time-bounds.ts';

export function timeBounds(result: PlanNode, zone: string): Map<Scan, TimeRange> {
  const found = new Map<Scan, TimeRange>();
  const descend = (node: PlanNode, bounds: Bounds): void => {
    const scan = scanOf(node);
    if (scan) found.set(scan, scanRange(scan, bounds, zone));
    for (const input of inputsOf(node)) descend(input, crossing(node, { input, bounds, zone }));
  };
  descend(result, NO_BOUNDS);
  return found;
}

/** The bounds that hold for the rows of an input, of those that hold for the rows of the node. */
function crossing(node: PlanNode, above: BoundsAbove): Bounds {
  const { bounds } = declarationOf(node);
  if (typeof bounds === 'function') return bounds(node, above);
  const isOwn = node.input === undefined || node.input === above.input;
  return bounds === 'kept' && isOwn && !expressionsOf(node).some(isVolatile) ? above.bounds : NO_BOUNDS;
}

/** A cut of the ordered rows of a scan keeps out all bounds from above. */
function scanRange(scan: Scan, bounds: Bounds, zone: string): TimeRange {
  const own = declarationOf(scan).scan?.range(scan, zone) ?? scan.range;
  const time = scan.rows.columns.find(({ name }) => name === '_time');
  const isCut = scan.limit !== undefined || scan.offset > 0n;
  return narrowed(own, (time && !isCut && bounds.get(time.id)) || {});
}
