// Which part of a plan runs in the host (15.10): from a node that runs there by its declaration, up to the first command that
// has no form in the host.

import { declarationOf, effectOf, inputsOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';

export interface HostSegment {
  readonly source: PlanNode;
  /** From the source to the last. */
  readonly nodes: readonly PlanNode[];
}

/** The segment whose last node is this. With `isInThreads` also nodes for which a statement would call the host begin one. */
export function hostSegmentTo(node: PlanNode, isInThreads = false): HostSegment | undefined {
  const { host } = declarationOf(node);
  if (!host) return undefined;
  if (host.isOutside) return { source: node, nodes: [node] };
  const below = node.input && hostSegmentTo(node.input, isInThreads);
  if (host.isSink && !(below && isFlowing(node, below))) return undefined;
  if (below) return { source: below.source, nodes: [...below.nodes, node] };
  return host.begins?.(node, isInThreads) ? { source: node, nodes: [node] } : undefined;
}

/** Rows that arrive are stored as they come, but not in a table whose arrivals they are: they would arrive again for ever. */
function isFlowing(node: PlanNode, { source }: HostSegment): boolean {
  const arrivals = effectOf(source);
  if (arrivals?.kind !== 'arrivals') return false;
  const effect = effectOf(node);
  return effect?.kind !== 'ingest' || !arrivals.tables.includes(effect.table);
}

/** All segments below a node and with it, the lowest first. */
export function hostSegmentsIn(node: PlanNode, isInThreads = false): HostSegment[] {
  const segment = hostSegmentTo(node, isInThreads);
  if (!segment) return inputsOf(node).flatMap((input) => hostSegmentsIn(input, isInThreads));
  const { input } = segment.source;
  return [...(input ? hostSegmentsIn(input, isInThreads) : []), segment];
}

export const topOf = ({ source, nodes }: HostSegment): PlanNode => nodes.at(-1) ?? source;
