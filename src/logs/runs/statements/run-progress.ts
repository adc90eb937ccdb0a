// Where the commands of a plan stand while a run works on it (12.2), and what they have handed on so far at the least.

import type { RunWatch } from '#logs/run.ts';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { subPlans } from '#query/analysis/sub-plans.ts';
import { commandNamed } from '#query/commands/index.ts';
import { countOf, cutOf, declarationOf, subqueriesOf, tableScanOf } from '#query/plan-nodes/facts.ts';
import { hasRows, type Plan, type PlanNode, type Preamble } from '#query/plan-nodes/plan.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';

export class RunProgress {
  readonly #plan: Plan;
  readonly #watch: RunWatch;
  readonly #commands: readonly (PlanNode | Preamble)[];
  /** Read to their ends, whatever happens to their rows later. */
  readonly #whole: readonly Scan[];
  #rows = 0n;

  constructor(plan: Plan, watch: RunWatch) {
    this.#plan = plan;
    this.#watch = watch;
    this.#commands = plan.commands;
    this.#whole = wholeScans(plan.result, { isCut: false });
    const first = this.#commands.findIndex(isTransforming);
    this.#moved(0, first === -1 ? this.#commands.length : first + 1, 'Running');
    for (const sub of subPlans(plan)) for (const node of sub.commands) this.#move(node, 'Running');
  }

  /** The node is a table of rows by now. */
  staged(node: PlanNode, counts?: StageCounts): void {
    if (counts) this.#watch.reached(node, counts.rows);
    if (counts?.input && node.input) atLeast(node.input, counts.input, this.#watch);
    const at = this.#commands.findIndex((command) => command === node || isInBracket(node, command));
    // Those of subqueries end when the first row of the whole is there.
    if (at === -1) return;
    this.#moved(0, at, 'End');
    this.#moved(at, at + 1, 'Finalizing');
    const next = this.#commands.findIndex((one, index) => index > at && isTransforming(one));
    this.#moved(at + 1, next === -1 ? this.#commands.length : next + 1, 'Running');
  }

  /** So many more rows of the result are there. */
  handedOn(rows: number): void {
    if (rows === 0) return;
    if (this.#rows === 0n) this.#firstRow();
    this.#rows += BigInt(rows);
    atLeast(this.#plan.result, this.#rows, this.#watch);
  }

  /** All rows are there. */
  exhausted(): void {
    this.#moved(0, this.#commands.length, 'Finalizing');
  }

  /** `done` is how much of what is at work has been worked through. */
  refreshProgress(done: number, rowsOf: (scan: Scan) => bigint): void {
    for (const scan of this.#whole) {
      this.#watch.reached(scan, (rowsOf(scan) * BigInt(Math.floor(done * SCALE))) / BigInt(SCALE));
    }
  }

  #firstRow(): void {
    const last = this.#commands.findLastIndex(isTransforming);
    // Without one all work on rows at once, to the end.
    if (last === -1) return;
    this.#moved(0, last, 'End');
    this.#moved(last, last + 1, 'Finalizing');
    this.#moved(last + 1, this.#commands.length, 'Running');
    for (const sub of subPlans(this.#plan)) for (const node of sub.commands) this.#move(node, 'End');
  }

  #moved(from: number, to: number, status: 'Running' | 'Finalizing' | 'End'): void {
    for (const node of this.#commands.slice(from, to)) this.#move(node, status);
  }

  #move(node: PlanNode | Preamble, status: 'Running' | 'Finalizing' | 'End'): void {
    if (hasRows(node)) this.#watch.moved(node, status);
  }
}

const SCALE = 1_000_000;

const isTransforming = (node: PlanNode | Preamble): boolean =>
  node.bracket ? node.bracket.some(isTransforming) : commandNamed(node.command)?.class === 'transforming';

const isInBracket = (node: PlanNode, command: PlanNode | Preamble): boolean =>
  command.bracket?.some((inner) => inner === node || isInBracket(node, inner)) ?? false;

/** A lower bound for the rows of a node holds for its input too, where each row is made of another one of the input. */
function atLeast(node: PlanNode, rows: bigint, watch: RunWatch): void {
  watch.reached(node, rows);
  const count = countOf(node);
  if (node.input && (count === 'as-input' || count === 'some-of-input')) atLeast(node.input, rows, watch);
}

/** The scans that no satisfied limit can end early. */
function wholeScans(node: PlanNode, { isCut }: { isCut: boolean }): Scan[] {
  const scan = tableScanOf(node);
  if (scan) return isCut || scan.limit !== undefined || scan.offset > 0n ? [] : [scan];
  const { takes, subqueries } = declarationOf(node);
  const cuts = cutOf(node)?.limit !== undefined;
  const below = { isCut: (isCut || cuts) && takes !== 'all-before-first' };
  const own = node.input ? wholeScans(node.input, below) : [];
  const besides = subqueries?.taken === 'as-needed' ? below : { isCut: false };
  return [...own, ...subqueriesOf(node).flatMap(({ result }) => wholeScans(result, besides))];
}
