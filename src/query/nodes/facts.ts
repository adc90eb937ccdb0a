// Facts of a node, read from the declaration of its kind.

import type { Expression } from '#query/model/expression.ts';
import { isVolatile } from '#query/model/expression.ts';
import { nodes } from './index.ts';
import type { NodeDeclaration, RowCount, RowCut, Uses } from './node.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { Scan } from './shared/scans.ts';
import type { TableScan } from './table.ts';

/** The kind has chosen the declaration, which the compiler cannot follow. */
export const declarationOf = (node: PlanNode): NodeDeclaration<PlanNode> =>
  nodes[node.kind] as unknown as NodeDeclaration<PlanNode>;

/** The pipelines in the brackets of a node whose rows it takes beside those of its input. */
export const subqueriesOf = (node: PlanNode): readonly Plan[] => declarationOf(node).subqueries?.plans(node) ?? [];

/** The plan of the stored query that a node runs. */
export const bodyOf = (node: PlanNode): Plan | undefined => declarationOf(node).body?.(node);

/** The nodes whose rows a node takes. */
export function inputsOf(node: PlanNode): PlanNode[] {
  const { besides } = declarationOf(node);
  const body = bodyOf(node);
  return [
    ...(node.input ? [node.input] : []),
    ...(besides?.(node) ?? []),
    ...(body ? [body.result] : []),
    ...subqueriesOf(node).map(({ result }) => result),
  ];
}

/** A node and those whose rows it is made of; nothing below one that is apart. Each once. */
export function nodesBelow(root: PlanNode, isApart: (node: PlanNode) => boolean): PlanNode[] {
  const found = new Set([root]);
  for (const node of found) {
    for (const input of isApart(node) ? [] : inputsOf(node)) if (!isApart(input)) found.add(input);
  }
  return [...found];
}

/** The nodes of a pipeline from its driver to its result, those of brackets among them. */
export function chainTo(result: PlanNode): PlanNode[] {
  const chain: PlanNode[] = [];
  for (let node: PlanNode | undefined = result; node; node = node.input) chain.push(node);
  return chain.reverse();
}

export function countOf(node: PlanNode): RowCount {
  const { counts } = declarationOf(node);
  return typeof counts === 'function' ? counts(node) : counts;
}

/** A number of rows that it never hands on more than; undefined where none is known. */
export function maxRowsOf(node: PlanNode): bigint | undefined {
  const count = countOf(node);
  if (typeof count === 'object') return 'exactly' in count ? count.exactly : undefined;
  const own = declarationOf(node).maxRows?.(node) ?? cutOf(node)?.limit;
  const input = count === 'counted' || !node.input ? undefined : maxRowsOf(node.input);
  return own === undefined || (input !== undefined && input < own) ? input : own;
}

/** Whether it hands on as many rows as it gets (15.11). */
export const preservesCount = (node: PlanNode): boolean => countOf(node) === 'as-input';

export const expressionsOf = (node: PlanNode): readonly Expression[] => declarationOf(node).expressions(node);

/** The input of a node that looks at one row at a time and hands it on or not, in order. */
export const inputByRow = (node: PlanNode): PlanNode | undefined =>
  declarationOf(node).takes === 'each' ? node.input : undefined;

/** Whether the result for a row depends on which other rows there are, or differs from run to run. */
export const isVolatileStep = (node: PlanNode): boolean =>
  isCutting(cutOf(node)) || expressionsOf(node).some(isVolatile);

const isCutting = (cut: RowCut | undefined): boolean =>
  cut !== undefined && (cut.limit !== undefined || cut.offset > 0n);

export const cutOf = (node: PlanNode): RowCut | undefined => declarationOf(node).cut?.(node);

/** The node as a scan of stored tables; undefined for others. */
export const scanOf = (node: PlanNode): Scan | undefined => declarationOf(node).scan?.of(node);

/** The node as a scan of all rows of its tables, without a condition. */
export function tableScanOf(node: PlanNode): TableScan | undefined {
  const scan = scanOf(node);
  return scan && !('condition' in scan) ? scan : undefined;
}

const NO_USES: Uses = {};

export const usesOf = (node: PlanNode): Uses => declarationOf(node).uses?.(node) ?? NO_USES;
