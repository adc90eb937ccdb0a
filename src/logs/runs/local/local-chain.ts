// Which part of a plan runs locally (15.10): from a node that runs there by its declaration, up to the first command that
// has no form locally.

import { declarationOf, effectOf, inputsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';

export interface LocalChain {
  readonly source: PlanNode;
  /** From the source to the last. */
  readonly planNodes: readonly PlanNode[];
}

/** The chain whose last node is this. With `isInThreads` also nodes for which a statement would call the local evaluator begin one. */
export function localChainTo(node: PlanNode, isInThreads = false): LocalChain | undefined {
  const { local } = declarationOf(node);
  if (!local) return undefined;
  if (local.isOutside) return { source: node, planNodes: [node] };
  const below = node.input && localChainTo(node.input, isInThreads);
  if (local.isSink && !(below && isFlowing(node, below))) return undefined;
  if (below) return { source: below.source, planNodes: [...below.planNodes, node] };
  return local.begins?.(node, isInThreads) ? { source: node, planNodes: [node] } : undefined;
}

/** Rows that arrive are stored as they come, but not in a table whose arrivals they are: they would arrive again for ever. */
function isFlowing(node: PlanNode, { source }: LocalChain): boolean {
  const arrivals = effectOf(source);
  if (arrivals?.kind !== 'arrivals') return false;
  const effect = effectOf(node);
  return effect?.kind !== 'ingest' || !arrivals.tables.includes(effect.table);
}

/** All chains below a node and with it, the lowest first. */
export function localChainsIn(node: PlanNode, isInThreads = false): LocalChain[] {
  const chain = localChainTo(node, isInThreads);
  if (!chain) return inputsOf(node).flatMap((input) => localChainsIn(input, isInThreads));
  const { input } = chain.source;
  return [...(input ? localChainsIn(input, isInThreads) : []), chain];
}

export const topOf = ({ source, planNodes: nodes }: LocalChain): PlanNode => nodes.at(-1) ?? source;
