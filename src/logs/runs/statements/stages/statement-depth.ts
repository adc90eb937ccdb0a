// Where a long pipeline is cut into statements: the time that DuckDB takes to prepare one grows with the third power of the
// depth of its SELECTs (200: 2 s), and a text may have 256 commands.

import { declarationOf, inputsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

/** Nested SELECTs of one statement, as far as nodes can be parted. */
const MAX_DEPTH = 64;

/** A node that looks at many rows has further SELECTs, or sorts and groups by expressions that repeat in those above. */
const DEPTH_OF_MANY_ROWS = 8;

/** The nodes below this one whose rows become tables of the run, so that no statement is too deep; the lowest first. */
export function cutsBelow(root: PlanNode, isStaged: (node: PlanNode) => boolean): PlanNode[] {
  const cuts: PlanNode[] = [];
  const depths = new Map<PlanNode, number>();
  const depthTo = (node: PlanNode): number => {
    const known = depths.get(node);
    if (known !== undefined) return known;
    const depth = isStaged(node) ? 1 : ownDepth(node) + below(node);
    depths.set(node, depth);
    return depth;
  };
  const below = (node: PlanNode): number => {
    const own = ownDepth(node);
    return Math.max(
      0,
      ...inputsOf(node).map((input) => {
        const depth = depthTo(input);
        if (depth === 1 || own + depth <= MAX_DEPTH) return depth;
        cuts.push(input);
        depths.set(input, 1);
        return 1;
      }),
    );
  };
  depthTo(root);
  return cuts;
}

function ownDepth(node: PlanNode): number {
  const { selects, takes } = declarationOf(node);
  if (selects) return selects(node);
  return takes === 'each' || takes === 'no-rows' || takes === 'records' ? 1 : DEPTH_OF_MANY_ROWS;
}
