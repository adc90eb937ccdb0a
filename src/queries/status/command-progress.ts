// The progress of each command of a query (12.2). A query is planned more than once while its commands stay the same, so
// the nodes of every plan map to the same progress: by pipeline in the order of the text, then by position.

import { COMMAND_STATUSES, type CommandStatus } from '#logs/run.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import type { PlanNode, Preamble } from '#query/plan-nodes/plan.ts';

export class CommandProgress {
  readonly command: string;
  #status: CommandStatus = 'Waiting';
  #pushCount = 0n;
  #isSettled = false;

  constructor(command: string) {
    this.command = command;
  }

  get status(): CommandStatus {
    return this.#status;
  }

  get pushCount(): bigint {
    return this.#pushCount;
  }

  advance(status: CommandStatus): void {
    if (COMMAND_STATUSES.indexOf(status) > COMMAND_STATUSES.indexOf(this.#status)) this.#status = status;
  }

  raiseCount(rows: bigint): void {
    if (rows > this.#pushCount && !this.#isSettled) this.#pushCount = rows;
  }

  /** Its count is final: records that are stored later do not change it. */
  settle(): void {
    this.advance('End');
    this.#isSettled = true;
  }
}

interface PipelineProgress {
  /** Id of the query or subquery. */
  readonly id: number;
  readonly commands: readonly CommandProgress[];
}

export class QueryProgress {
  /** The query's own first, then its subqueries. */
  readonly pipelines: readonly PipelineProgress[];
  readonly #byPlanNode = new WeakMap<PlanNode | Preamble, CommandProgress>();
  /** Progress of commands by position in the text, which is the same in every plan of it. */
  readonly #byPosition = new Map<number, CommandProgress>();
  /** Progress of nodes inside brackets, by position in the text. No status shows it; only row counts of nodes read it. */
  readonly #inBrackets = new Map<number, CommandProgress>();

  /** `ids` has an id for each pipeline. */
  constructor(references: PlanReferences, ids: readonly number[]) {
    this.pipelines = references.pipelines.map(({ commands }, index) => ({
      id: ids[index] ?? 0,
      commands: commands.map(({ text, begin }) => this.#placed(begin, new CommandProgress(text))),
    }));
    this.attachPlan(references);
  }

  /** Maps the nodes of another plan of the same text to this progress. */
  attachPlan({ pipelines }: PlanReferences): void {
    for (const { planNodes: nodes, commands } of pipelines) {
      for (const node of nodes) this.#byPlanNode.set(node, this.#bracketed(node));
      for (const node of commands) {
        const progress = this.#byPosition.get(node.begin);
        if (progress) this.#byPlanNode.set(node, progress);
      }
    }
  }

  #placed(begin: number, progress: CommandProgress): CommandProgress {
    this.#byPosition.set(begin, progress);
    return progress;
  }

  #bracketed({ begin, text }: PlanNode): CommandProgress {
    const progress = this.#inBrackets.get(begin) ?? new CommandProgress(text);
    this.#inBrackets.set(begin, progress);
    return progress;
  }

  /** It has handed on at least so many rows, also where it is a node of a procedure and no command of this text. */
  reach(node: PlanNode, rows: bigint): void {
    const progress = this.#byPlanNode.get(node) ?? new CommandProgress(node.text);
    this.#byPlanNode.set(node, progress);
    progress.raiseCount(rows);
  }

  /** Undefined for nodes of a procedure whose rows were not told. */
  of(node: PlanNode | Preamble): CommandProgress | undefined {
    return this.#byPlanNode.get(node);
  }

  /** set and setq before the driver: engines do not report them. */
  advancePreambles({ preambles }: PlanReferences, status: CommandStatus): void {
    for (const preamble of preambles) this.of(preamble)?.advance(status);
  }

  /** All commands of these pipelines have ended, and their counts are exact. */
  settle({ pipelines }: PlanReferences): void {
    for (const { commands } of pipelines) for (const command of commands) this.of(command)?.settle();
  }

  /** No plan follows. */
  finishAll(): void {
    for (const { commands } of this.pipelines) for (const command of commands) command.advance('End');
    this.#byPosition.clear();
    this.#inBrackets.clear();
  }
}
