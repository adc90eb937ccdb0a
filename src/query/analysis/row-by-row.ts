// Which nodes and expressions look at one row at a time: what is done before them could as well be done after.

import { type Expression, someWithin } from '#query/model/expression.ts';
import type { PlanNode } from '#query/nodes/plan.ts';

const ROW_BY_ROW: readonly PlanNode['kind'][] = [
  'filter',
  'project',
  'rex',
  'parse',
  'parse-fields',
  'parser',
  'geoip',
  'lookup',
  'matchnet',
  'bin',
  'tojson',
  'pass',
  'block',
];

/** What a node gets one row at a time, each of which it hands on or not, in their order. */
export function inputByRow(node: PlanNode): PlanNode | undefined {
  return ROW_BY_ROW.includes(node.kind) && 'input' in node ? node.input : undefined;
}

/** Depends on which other rows there are, or is another value each time. */
export const isVolatile = (expression: Expression): boolean =>
  someWithin(expression, (inner) => inner.kind === 'call' && (inner.called.volatile || inner.called.ordered) === true);

/** Whether what is done with a row depends on which other rows there are. */
export function isVolatileStep(node: PlanNode): boolean {
  if (node.kind === 'filter') return node.limit !== undefined || isVolatile(node.condition);
  return node.kind === 'project' && node.assigned.some(({ value }) => isVolatile(value));
}
