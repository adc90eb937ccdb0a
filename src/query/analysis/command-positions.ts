// The positions of commands in the status record of a query: positions from 0, those of a subquery behind its own position and a dot.
// Nodes of a procedure have the position of the command that calls it: its text is not shown.

import { bodyOf } from '#query/plan-nodes/facts.ts';
import { hasRows, type Plan, type PlanNode } from '#query/plan-nodes/plan.ts';
import { chainOf, everyPlan } from './sub-plans.ts';

export interface Pipeline {
  readonly commands: Plan['commands'];
  /** From the driver of each phase to its result, those of brackets among them. */
  readonly planNodes: readonly PlanNode[];
}

export class CommandPositions {
  /** In their order. */
  readonly #order = new Map<string, number>();
  /** By position in the text, which is the same in every plan of it. */
  readonly #byBegin = new Map<number, string>();
  readonly #ofProcedures = new Map<PlanNode, string>();

  /** The pipeline of the query first. */
  constructor(pipelines: readonly Pipeline[]) {
    for (const [index, { commands, planNodes: nodes }] of pipelines.entries()) {
      for (const [position, command] of commands.entries()) {
        const text = index === 0 ? String(position) : `${index - 1}.${position}`;
        this.#order.set(text, this.#order.size);
        this.#byBegin.set(command.begin, text);
        const body = hasRows(command) ? bodyOf(command) : undefined;
        for (const node of body ? everyPlan(body).flatMap(chainOf) : []) this.#ofProcedures.set(node, text);
      }
      for (const node of nodes) this.#positionInside(node, commands);
    }
  }

  of(nodes: readonly PlanNode[]): string[] {
    const found = nodes.flatMap((node) => this.#ofProcedures.get(node) ?? this.#byBegin.get(node.begin) ?? []);
    return [...new Set(found)].sort((one, other) => (this.#order.get(one) ?? 0) - (this.#order.get(other) ?? 0));
  }

  /** A command in the brackets of another one is a part of it. */
  #positionInside({ begin, end }: PlanNode, commands: Plan['commands']): void {
    if (this.#byBegin.has(begin)) return;
    const outer = commands.find((command) => command.begin <= begin && command.end >= end);
    const position = outer && this.#byBegin.get(outer.begin);
    if (position !== undefined) this.#byBegin.set(begin, position);
  }
}
