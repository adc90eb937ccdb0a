// Values that a command computes before its own work, as columns of its input.

import type { Column } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/** Columns of the input under names that no text can write, so that they hide no field. */
export class HiddenColumns {
  readonly #planning: CommandPlanning<unknown>;
  readonly #assigned: Assigned[] = [];

  constructor(planning: CommandPlanning<unknown>) {
    this.#planning = planning;
  }

  add(value: Expression): Column {
    const column = this.#planning.newColumn(`\0${this.#assigned.length}`, value.type);
    this.#assigned.push({ column, value });
    return column;
  }

  input(): PlanNode {
    const { rows } = this.#planning;
    if (this.#assigned.length === 0) return this.#planning.input;
    const columns = [...rows.columns, ...this.#assigned.map(({ column }) => column)];
    const computed: KnownPlanNode = {
      ...this.#planning.step({ ...rows, columns }),
      kind: 'project',
      assigned: this.#assigned,
    };
    return computed;
  }
}
