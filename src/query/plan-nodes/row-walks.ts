// Walks down the input of a node that the SQL of other nodes asks for.

import type { Expression } from '#query/model/expression.ts';
import {
  declarationOf,
  expressionsOf,
  inputByRow,
  inputsOf,
  isVolatileStep,
  preservesCount,
  tableScanOf,
} from './facts.ts';
import type { PlanNode } from './plan.ts';
import type { Scan } from './shared/scans.ts';
import type { Cut } from './shared/sql-text.ts';
import type { TableScan } from './table.ts';

type IsStage = (node: PlanNode) => boolean;

/** The lowest node whose rows may be cut in place of those of the node: each row above is made of one below, in order. */
export function lowestToCut(node: PlanNode, isStage: IsStage): PlanNode {
  const isMovable = preservesCount(node) && !isStage(node) && !isVolatileStep(node);
  const input = isMovable ? inputByRow(node) : undefined;
  return input ? lowestToCut(input, isStage) : node;
}

/** The table whose rows, or some of them, are those of the node: the same when they are read again. */
export function tableBelow(node: PlanNode, isStage: IsStage): TableScan | undefined {
  if (isStage(node)) return undefined;
  const scan = tableScanOf(node);
  if (scan) return scan.limit === undefined && scan.offset === 0n ? scan : undefined;
  const isSelection = declarationOf(node).isSelection?.(node) ?? false;
  return node.input && isSelection && !isVolatileStep(node) ? tableBelow(node.input, isStage) : undefined;
}

/** Whether an expression that fits has made a value of the rows of a node. */
export function isMadeBy(
  fits: (expression: Expression) => boolean,
  node: PlanNode,
  known: Map<PlanNode, boolean>,
): boolean {
  const found =
    known.get(node) ??
    ((inputByRow(node) !== undefined && expressionsOf(node).some(fits)) ||
      inputsOf(node).some((input) => isMadeBy(fits, input, known)));
  known.set(node, found);
  return found;
}

/** How many of the first rows of a scan can matter, of which a statement cuts some. */
export function firstRowsOf(scan: Scan, taken: Cut | undefined): { readonly first?: bigint } {
  const { limit, offset } = scan;
  const most = taken && taken.offset + taken.count;
  if (declarationOf(scan).scan?.isFiltered || (limit === undefined && most === undefined)) return {};
  if (limit === undefined || most === undefined) return { first: offset + (limit ?? most ?? 0n) };
  return { first: offset + (limit < most ? limit : most) };
}
