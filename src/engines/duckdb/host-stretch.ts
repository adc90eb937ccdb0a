// Which part of a plan runs in the host (15.10): from rows that the host itself makes or must see in order, or from expressions
// that are too deep for a statement, up to the first command that takes more than one row at a time.

import { isTooDeep } from '#query/dialects/duckdb.ts';
import { runsInHost } from '#query/evaluate/host-pipeline.ts';
import type { Expression } from '#query/expression.ts';
import { inputsOf } from '#query/needs.ts';
import type { Evalc, Filter, PlanNode, Project, WindowScan } from '#query/plan.ts';

type Deep = Filter | Project;

export interface Stretch {
  readonly source: WindowScan | Evalc | Deep;
  /** From the source to the last. */
  readonly nodes: readonly PlanNode[];
}

/** The one whose last node is this. */
export function stretchTo(node: PlanNode): Stretch | undefined {
  if (node.kind === 'window') return { source: node, nodes: [node] };
  if (!runsInHost(node) || !('input' in node) || !node.input) return undefined;
  const below = stretchTo(node.input);
  if (below) return { source: below.source, nodes: [...below.nodes, node] };
  return node.kind === 'evalc' || isDeep(node) ? { source: node, nodes: [node] } : undefined;
}

/** All below a node and with it, the lowest first. */
export function stretchesIn(node: PlanNode): Stretch[] {
  const stretch = stretchTo(node);
  if (!stretch) return inputsOf(node).flatMap(stretchesIn);
  const { source } = stretch;
  return [...(source.kind === 'window' ? [] : stretchesIn(source.input)), stretch];
}

const known = new WeakMap<PlanNode, boolean>();

/** Asked again and again of the same node. */
function isDeep(node: PlanNode): node is Deep {
  if (node.kind !== 'filter' && node.kind !== 'project') return false;
  const isFound = known.get(node) ?? expressionsOf(node).some(isTooDeep);
  known.set(node, isFound);
  return isFound;
}

const expressionsOf = (node: Deep): readonly Expression[] =>
  node.kind === 'filter' ? [node.condition] : node.assigned.map(({ value }) => value);

export const topOf = ({ source, nodes }: Stretch): PlanNode => nodes.at(-1) ?? source;
