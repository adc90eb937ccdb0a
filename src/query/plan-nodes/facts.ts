// Facts of a node, read from the declaration of its kind.

import type { Expression } from '#query/model/expression.ts';
import { isVolatile } from '#query/model/expression.ts';
import type { Effect, SourceEffect, WorkEffect } from './effect.ts';
import { planNodes } from './index.ts';
import type { EffectServices, KnownPlanNode, OpenedPlanNode } from './kinds.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { PlanNodeDeclaration, RowCount, RowCut } from './plan-node.ts';
import type { Scan } from './shared/scans.ts';
import type { TableScan } from './table.ts';

/** The kind has chosen the declaration, which the compiler cannot follow. */
export const declarationOf = (node: PlanNode): PlanNodeDeclaration<PlanNode, EffectServices> =>
  planNodes[node.kind as KnownPlanNode['kind']] as unknown as PlanNodeDeclaration<PlanNode, EffectServices>;

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
export function planNodesBelow(root: PlanNode, isApart: (node: PlanNode) => boolean): PlanNode[] {
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

export const usesOf = (node: PlanNode) => declarationOf(node).uses?.(node) ?? {};

/** What a run carries out for the node, if that is anything. */
export const effectOf = (node: PlanNode): Effect<EffectServices> | undefined => declarationOf(node).effect?.(node);

/** A kind of effect is carried out where rows come from, or where work is done on them. */
const IS_SOURCE: Readonly<Record<SourceEffect['kind'], true> & Record<WorkEffect['kind'], false>> = {
  rows: true,
  fields: true,
  requests: true,
  bytes: true,
  arrivals: true,
  sink: false,
  ingest: false,
  build: false,
  forget: false,
};

const isSource = (effect: Effect<EffectServices>): effect is SourceEffect<EffectServices> => IS_SOURCE[effect.kind];

export function sourceEffectOf(node: PlanNode): SourceEffect<EffectServices> | undefined {
  const effect = effectOf(node);
  return effect && isSource(effect) ? effect : undefined;
}

export function workEffectOf(node: PlanNode): WorkEffect<EffectServices> | undefined {
  const effect = effectOf(node);
  return effect && !isSource(effect) ? effect : undefined;
}

/** Whether its rows are stored or written outside of the query. */
export function isSink(node: PlanNode): boolean {
  const { kind } = effectOf(node) ?? {};
  return kind === 'sink' || kind === 'ingest';
}

/** Whether its effect is opened with services. */
export function isOpened(node: PlanNode): node is OpenedPlanNode {
  const effect = effectOf(node);
  return effect !== undefined && 'open' in effect;
}

/** Whether a node is of the kind of a declaration. */
export const isOf = <N extends PlanNode, S>(
  node: PlanNode | undefined,
  declaration: PlanNodeDeclaration<N, S>,
): node is N => node?.kind === declaration.kind;

/** The input of a node that has one by its kind. */
export function inputOf({ command, input }: PlanNode): PlanNode {
  if (!input) throw new Error(`${command} has no input`);
  return input;
}
