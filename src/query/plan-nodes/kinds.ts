// Types of all kinds of plan nodes, derived from the list of their declarations.

import type { planNodes } from './index.ts';
import type { PlanNodeDeclaration } from './plan-node.ts';

type PlanNodes = typeof planNodes;

type PlanNodeOf<D> = D extends PlanNodeDeclaration<infer N, infer _> ? N : never;

type ServicesOf<D> = D extends PlanNodeDeclaration<infer _, infer S> ? S : never;

/** A node of a kind that there is. Nodes themselves know each other as `PlanNode` only, so that no kind knows all the others. */
export type KnownPlanNode = { [K in keyof PlanNodes]: PlanNodeOf<PlanNodes[K]> }[keyof PlanNodes];

/** What the effects of all nodes are opened with. Where a run is begun each of them is provided. */
export type EffectServices = {
  [K in keyof PlanNodes]: (services: ServicesOf<PlanNodes[K]>) => void;
}[keyof PlanNodes] extends (services: infer S) => void
  ? S
  : never;

/** Nodes whose effects are opened with services. */
export type OpenedPlanNode = {
  [K in keyof PlanNodes]: unknown extends ServicesOf<PlanNodes[K]> ? never : PlanNodeOf<PlanNodes[K]>;
}[keyof PlanNodes];
