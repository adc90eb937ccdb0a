// Which part of a plan runs in the host (15.10): from rows that the host itself makes or must see in order, up to the first
// command that takes more than one row at a time.

import { runsInHost } from '#query/evaluate/host-pipeline.ts';
import { inputsOf } from '#query/needs.ts';
import type { Evalc, PlanNode, WindowScan } from '#query/plan.ts';

export interface Stretch {
  readonly source: WindowScan | Evalc;
  /** From the source to the last. */
  readonly nodes: readonly PlanNode[];
}

/** The one whose last node is this. */
export function stretchTo(node: PlanNode): Stretch | undefined {
  if (node.kind === 'window') return { source: node, nodes: [node] };
  if (!runsInHost(node) || !('input' in node) || !node.input) return undefined;
  const below = stretchTo(node.input);
  if (below) return { source: below.source, nodes: [...below.nodes, node] };
  return node.kind === 'evalc' ? { source: node, nodes: [node] } : undefined;
}

/** All below a node and with it, the lowest first. */
export function stretchesIn(node: PlanNode): Stretch[] {
  const stretch = stretchTo(node);
  if (!stretch) return inputsOf(node).flatMap(stretchesIn);
  const { source } = stretch;
  return [...(source.kind === 'evalc' ? stretchesIn(source.input) : []), stretch];
}

export const topOf = ({ source, nodes }: Stretch): PlanNode => nodes.at(-1) ?? source;
