// The typed logical plan (15.2): a tree of nodes, one per command, that knows columns, order and time ranges. Names are
// resolved here, once: expressions inside carry column ids.
//
// A compiler may rely on these rules:
// - A column id means one value per row, everywhere below and above; a name may be given to another column later.
// - `rows.columns` are the known columns in their order. A known column hides an overflow key of the same name.
// - `rows.order` may name columns that are not among `rows.columns`: they are hidden and must be carried along. A node
//   that makes such columns lists them among its fields (`sequence`, `position`, `copy`, sort keys).
// - Fields of nodes hold values, not text: option parameters are resolved, times are instants.

import type { Rows } from '#query/model/columns.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
/** A command that has rows. What is true of its kind stands in the declaration of that (`PlanNodeDeclaration`). */
export interface PlanNode extends Span {
  readonly kind: string;
  /** The command's name and its normalized text. */
  readonly command: string;
  readonly text: string;
  readonly rows: Rows;
  readonly input?: PlanNode;
  /** Commands inside the brackets of this one. */
  readonly bracket?: readonly PlanNode[];
}

export interface Step extends PlanNode {
  readonly input: PlanNode;
}

/** set and setq before the driver: no rows yet. */
export interface Preamble extends Omit<PlanNode, 'rows' | 'input'> {
  readonly kind: 'preamble';
}

/** A constant that is evaluated before any row is read, in the order of the text. */
export type ConstantStep =
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression }
  /** `row` is its first row, once it has run. */
  | { readonly kind: 'setq'; readonly query: Plan; readonly row?: ReadonlyMap<string, Value> };

/** The last phase of a pipeline ready to run (7.0), and the phases before it. */
export interface Plan {
  /** Each runs to its end before the next one begins, and its rows are dropped; none of them has earlier ones. */
  readonly earlier: readonly Plan[];
  /** Whether it is an earlier phase that has run: it serves to know its commands, not to run them again. */
  readonly isEnded?: true;
  /** Commands of this phase in the order of the text. */
  readonly commands: readonly (PlanNode | Preamble)[];
  readonly result: PlanNode;
  /** Of this phase alone; subqueries have their own. */
  readonly constants: readonly ConstantStep[];
  /** Whether all constants had values: a plan made before a setq has run serves to check a query, not to run it. */
  readonly isComplete: boolean;
}

/** Whether a command of a plan has rows. */
export const hasRows = (command: PlanNode | Preamble): command is PlanNode => command.kind !== 'preamble';
