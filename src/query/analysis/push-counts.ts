// How many rows each command has handed on (12.2, 15.11), exact once a run has ended. Most counts follow from those of
// other nodes; only the remaining nodes are counted.

import { countOf, declarationOf, preservesCount } from '#query/plan-nodes/facts.ts';
import { hasRows, type Plan, type PlanNode } from '#query/plan-nodes/plan.ts';
import type { TakenRows } from '#query/plan-nodes/plan-node.ts';

/** Counts the rows of a node; called at most once for each. */
type CountRows = (node: PlanNode) => Promise<bigint>;

/** Counts of a node whose rows are a table of their own. */
export interface StageCounts {
  readonly rows: bigint;
  /** Rows of its input; null of a timechart that has left some out without counting them. */
  readonly input: bigint | null;
}

interface RunCounts {
  /** How many rows the whole query gave, where all of them were read. */
  readonly rows?: bigint | undefined;
  readonly stages?: ReadonlyMap<PlanNode, StageCounts>;
  /** Of nodes that ran locally: how many rows they have handed on, and whether that was cut short. */
  readonly local?: ReadonlyMap<PlanNode, LocalCount>;
}

export interface LocalCount {
  readonly rows: bigint;
  readonly isCut: boolean;
}

/** Of all commands in the order of the text. */
export async function pushCounts(plan: Plan, { rows, stages, local }: RunCounts, count: CountRows): Promise<bigint[]> {
  const counts = new PushCounts(count, stages ?? new Map());
  for (const [node, { rows: known, isCut }] of local ?? []) counts.known(node, known, { isCut });
  if (rows !== undefined) counts.known(plan.result, rows);
  const all: bigint[] = [];
  // From the end: the rows that a satisfied limit took are those that were handed to it, however many there were.
  for (const node of plan.commands.toReversed()) all.push(hasRows(node) ? await counts.of(node) : 0n);
  return all.reverse();
}

class PushCounts {
  readonly #count: CountRows;
  readonly #stages: ReadonlyMap<PlanNode, StageCounts>;
  readonly #known = new Map<PlanNode, bigint>();

  constructor(count: CountRows, stages: ReadonlyMap<PlanNode, StageCounts>) {
    this.#count = count;
    this.#stages = stages;
  }

  /** The first count of a node stays. */
  known(node: PlanNode, count: bigint, { isCut = false } = {}): void {
    const { takes } = declarationOf(node);
    if (this.#known.has(node) || (isCut && takes === 'all-always')) return;
    this.#known.set(node, count);
    const taken = takenBy(node, count, isCut);
    if (taken && node.input) this.known(node.input, taken.rows, taken);
  }

  async of(node: PlanNode): Promise<bigint> {
    const stage = this.#stages.get(node);
    const count = this.#known.get(node) ?? stage?.rows ?? (await this.#found(node));
    this.known(node, count);
    if (stage && stage.input !== null && node.input) this.known(node.input, stage.input);
    return count;
  }

  async #found(node: PlanNode): Promise<bigint> {
    const count = countOf(node);
    if (count === 'as-input' && node.input) return await this.of(node.input);
    if (typeof count === 'string') return await this.#count(node);
    if ('exactly' in count) return count.exactly;
    let sum = 0n;
    for (const part of count.sumOf) sum += await this.of(part);
    return sum * (count.times ?? 1n);
  }
}

/** The rows that a node took of its input, where the number of its own tells it. */
function takenBy(node: PlanNode, rows: bigint, isCut: boolean): TakenRows | undefined {
  const { takes, taken } = declarationOf(node);
  if (taken) return taken(node, rows);
  // A cut of rows that were all taken before the first says nothing about the input.
  if (!preservesCount(node) || (isCut && takes === 'all-before-first')) return undefined;
  return { rows, isCut };
}
