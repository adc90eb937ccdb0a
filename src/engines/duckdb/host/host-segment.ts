// Which part of a plan runs in the host (15.10): from rows that the host itself makes or must see in order, or from expressions
// that are too deep for a statement, up to the first command that takes more than one row at a time.

import { inputsOf } from '#query/analysis/needs.ts';
import { runsInHost } from '#query/host/host-pipeline.ts';
import { type Expression, someWithin } from '#query/model/expression.ts';
import type { Evalc, Filter, ParseFields, PlanNode, Project, Rex, ToJson, WindowScan } from '#query/nodes/plan.ts';
import { isTooDeep } from '#query/sql/host-expression.ts';
import { isForHost } from '#query/sql/patterns.ts';

type Deep = Filter | Project;
type HostCaller = Deep | ParseFields | ToJson | Rex;

export interface HostSegment {
  readonly source: WindowScan | Evalc | Deep | HostCaller;
  /** From the source to the last. */
  readonly nodes: readonly PlanNode[];
}

/** The one whose last node is this. With `isInThreads` it also begins with what a statement would call the host for. */
export function hostSegmentTo(node: PlanNode, isInThreads = false): HostSegment | undefined {
  if (node.kind === 'window') return { source: node, nodes: [node] };
  if (!runsInHost(node) || !('input' in node) || !node.input) return undefined;
  const below = hostSegmentTo(node.input, isInThreads);
  if (below) return { source: below.source, nodes: [...below.nodes, node] };
  const isSource = node.kind === 'evalc' || isDeep(node) || (isInThreads && callsHost(node));
  return isSource ? { source: node, nodes: [node] } : undefined;
}

/** All below a node and with it, the lowest first. */
export function hostSegmentsIn(node: PlanNode, isInThreads = false): HostSegment[] {
  const segment = hostSegmentTo(node, isInThreads);
  if (!segment) return inputsOf(node).flatMap((input) => hostSegmentsIn(input, isInThreads));
  const { source } = segment;
  return [...(source.kind === 'window' ? [] : hostSegmentsIn(source.input, isInThreads)), segment];
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

/** Whether a statement might: some functions have no SQL, others have none for all values. */
function callsHost(node: PlanNode): node is HostCaller {
  if (node.kind === 'parse-fields' || node.kind === 'tojson') return true;
  if (node.kind === 'rex') return isForHost(node.pattern);
  if (node.kind !== 'filter' && node.kind !== 'project') return false;
  const calls = (fits: (name: string) => boolean) =>
    expressionsOf(node).some((one) => someWithin(one, (inner) => inner.kind === 'call' && fits(inner.called.name)));
  return calls(() => true) && !calls((name) => name === 'seq');
}

export const topOf = ({ source, nodes }: HostSegment): PlanNode => nodes.at(-1) ?? source;
