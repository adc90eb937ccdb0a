// How far each command of a query is (12.2). A query is planned more than once, and every time anew; the commands stay
// the same, so nodes of every plan are led to the same cells: by pipeline in the order of the text, then by position.

import { COMMAND_STATUSES, type CommandStatus } from '#engines/plan-run.ts';
import { pipelinesOf } from '#query/analysis/references.ts';
import { chainOf } from '#query/analysis/sub-plans.ts';
import { hasRows, type Plan, type PlanNode, type Preamble } from '#query/nodes/plan.ts';

export class CommandCell {
  readonly command: string;
  #status: CommandStatus = 'Waiting';
  #pushCount = 0n;

  constructor(command: string) {
    this.command = command;
  }

  get status(): CommandStatus {
    return this.#status;
  }

  get pushCount(): bigint {
    return this.#pushCount;
  }

  move(status: CommandStatus): void {
    if (COMMAND_STATUSES.indexOf(status) > COMMAND_STATUSES.indexOf(this.#status)) this.#status = status;
  }

  reach(rows: bigint): void {
    if (rows > this.#pushCount) this.#pushCount = rows;
  }
}

export interface CellPipeline {
  /** Of the query, or of a subquery. */
  readonly id: number;
  readonly cells: readonly CommandCell[];
}

export class CommandCells {
  /** The query's own first, then its subqueries. */
  readonly pipelines: readonly CellPipeline[];
  readonly #byNode = new WeakMap<PlanNode | Preamble, CommandCell>();
  /** Of nodes inside of brackets, by their place in the text: nobody sees these cells but who asks for a node's count. */
  readonly #inBrackets = new Map<number, CommandCell>();

  /** `ids` has one for each of `pipelinesOf(plan)`. */
  constructor(plan: Plan, ids: readonly number[]) {
    this.pipelines = pipelinesOf(plan).map(({ commands }, index) => ({
      id: ids[index] ?? 0,
      cells: commands.map(({ text }) => new CommandCell(text)),
    }));
    this.follow(plan);
  }

  /** Lets the nodes of another plan of the same text lead to these cells. */
  follow(plan: Plan): void {
    for (const [index, pipeline] of pipelinesOf(plan).entries()) {
      for (const node of chainOf(pipeline)) this.#byNode.set(node, this.#inBracket(node));
      for (const [at, node] of pipeline.commands.entries()) {
        const cell = this.pipelines[index]?.cells[at];
        if (cell) this.#byNode.set(node, cell);
      }
    }
  }

  #inBracket({ begin, text }: PlanNode): CommandCell {
    const cell = this.#inBrackets.get(begin) ?? new CommandCell(text);
    this.#inBrackets.set(begin, cell);
    return cell;
  }

  /** Undefined for the nodes of a procedure, which are no commands of this text. */
  of(node: PlanNode | Preamble): CommandCell | undefined {
    return this.#byNode.get(node);
  }

  /** set and setq before the driver: no engine tells of them. */
  movePreambles(plan: Plan, status: CommandStatus): void {
    for (const { commands } of pipelinesOf(plan)) {
      for (const node of commands) if (!hasRows(node)) this.of(node)?.move(status);
    }
  }

  end(): void {
    for (const { cells } of this.pipelines) for (const cell of cells) cell.move('End');
  }
}
