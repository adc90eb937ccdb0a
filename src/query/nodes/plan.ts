// The typed logical plan (15.2): a tree of nodes, one per command, that knows columns, order and time ranges. Names are
// resolved here, once: expressions inside carry column ids.
//
// A compiler may rely on these rules:
// - A column id means one value per row, everywhere below and above; a name may be given to another column later.
// - `rows.columns` are the known columns in their order. A known column hides an overflow key of the same name.
// - `rows.order` may name columns that are not among `rows.columns`: they are hidden and must be carried along. A node
//   that makes such columns lists them among its fields (`sequence`, `position`, `copy`, sort keys).
// - Fields of nodes hold values, not text: option parameters are resolved, times are instants.

import type { Expression } from '#query/model/expression.ts';
import type { nodes } from './index.ts';
import type { Node, NodeDeclaration } from './node.ts';

type Nodes = typeof nodes;

type NodeOf<D> = D extends NodeDeclaration<infer N> ? N : never;

export type PlanNode = { [K in keyof Nodes]: NodeOf<Nodes[K]> }[keyof Nodes];

/** set and setq before the driver: no rows yet. */
export interface Preamble extends Node {
  readonly kind: 'preamble';
}

/** A constant that is evaluated before any row is read, in the order of the text. */
export type ConstantStep =
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'setq'; readonly query: Plan };

/** A query ready to run. */
export interface Plan {
  /** Commands in the order of the text, as the status record lists them. */
  readonly commands: readonly (PlanNode | Preamble)[];
  readonly result: PlanNode;
  /** Of this pipeline alone; subqueries have their own. */
  readonly constants: readonly ConstantStep[];
  /** Whether all constants had values: a plan made before a setq has run serves to check a query, not to run it. */
  readonly isComplete: boolean;
}

/** Whether a command of a plan has rows. */
export const hasRows = (command: PlanNode | Preamble): command is PlanNode => command.kind !== 'preamble';
