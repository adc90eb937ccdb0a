// Types of all kinds of plan nodes, derived from the list of their declarations.

import type { nodes } from './index.ts';
import type { NodeDeclaration } from './node.ts';

type Nodes = typeof nodes;

type NodeOf<D> = D extends NodeDeclaration<infer N, infer _> ? N : never;

type ServicesOf<D> = D extends NodeDeclaration<infer _, infer S> ? S : never;

/** A node of a kind that there is. Nodes themselves know each other as `PlanNode` only, so that no kind knows all the others. */
export type KnownNode = { [K in keyof Nodes]: NodeOf<Nodes[K]> }[keyof Nodes];

/** What the effects of all nodes are opened with. Where a run is begun each of them is provided. */
export type EffectServices = {
  [K in keyof Nodes]: (services: ServicesOf<Nodes[K]>) => void;
}[keyof Nodes] extends (services: infer S) => void
  ? S
  : never;

/** Nodes whose effects are opened with services. */
export type OpenedNode = {
  [K in keyof Nodes]: unknown extends ServicesOf<Nodes[K]> ? never : NodeOf<Nodes[K]>;
}[keyof Nodes];
