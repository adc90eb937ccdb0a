// How many rows each command has handed on (12.2, 15.11), exact once a run has ended. Most counts follow from those of
// other nodes; only what is left is counted.

import type { Limit, Plan, PlanNode } from '#query/nodes/plan.ts';

/** Counts the rows of a node; asked at most once for each. */
export type CountRows = (node: PlanNode) => Promise<bigint>;

/** What the rows of a node tell once they are a table of their own. */
export interface StageCounts {
  readonly rows: bigint;
  /** Rows of its input; null of a timechart that has left some out without counting them. */
  readonly input: bigint | null;
}

export interface RunCounts {
  /** How many rows the whole query gave, where all of them were read. */
  readonly rows?: bigint | undefined;
  readonly stages?: ReadonlyMap<PlanNode, StageCounts>;
  /** Of nodes that ran in the host: how many rows they have handed on, and whether that was cut short. */
  readonly host?: ReadonlyMap<PlanNode, HostCount>;
}

export interface HostCount {
  readonly rows: bigint;
  readonly isCut: boolean;
}

/** Of all commands in the order of the text. */
export async function pushCounts(plan: Plan, { rows, stages, host }: RunCounts, count: CountRows): Promise<bigint[]> {
  const counts = new PushCounts(count, stages ?? new Map());
  for (const [node, { rows: known, isCut }] of host ?? []) counts.known(node, known, { isCut });
  if (rows !== undefined) counts.known(plan.result, rows);
  const all: bigint[] = [];
  // From the end: what a satisfied limit took tells what was handed to it, and counts before what there was.
  for (const node of plan.commands.toReversed()) all.push(node.kind === 'preamble' ? 0n : await counts.of(node));
  return all.reverse();
}

/** Take all rows there are before they hand on the first, so what a limit takes of them says nothing about their input. */
const TAKES_ALL: readonly PlanNode['kind'][] = ['sort', 'eventstats', 'streamstats', 'prev'];

/** Get all rows and hand them all on, whatever is taken of them. */
const KEEPS_ALL: readonly PlanNode['kind'][] = ['import', 'memlookup', 'output'];

class PushCounts {
  readonly #count: CountRows;
  readonly #stages: ReadonlyMap<PlanNode, StageCounts>;
  readonly #known = new Map<PlanNode, bigint>();

  constructor(count: CountRows, stages: ReadonlyMap<PlanNode, StageCounts>) {
    this.#count = count;
    this.#stages = stages;
  }

  /** What was known first stays. */
  known(node: PlanNode, count: bigint, { isCut = false } = {}): void {
    if (this.#known.has(node) || (isCut && KEEPS_ALL.includes(node.kind))) return;
    this.#known.set(node, count);
    if (node.kind === 'limit') this.#takenBy(node, count);
    else if (node.preservesCount && 'input' in node && node.input && !(isCut && TAKES_ALL.includes(node.kind))) {
      this.known(node.input, count, { isCut });
    }
  }

  /** A limit that has its rows ends the work before it; one that has not has seen all there were. */
  #takenBy({ input, offset, count: most }: Limit, count: bigint): void {
    if (count > 0n || most === 0n) this.known(input, offset + count, { isCut: count === most });
  }

  async of(node: PlanNode): Promise<bigint> {
    const stage = this.#stages.get(node);
    const count = this.#known.get(node) ?? stage?.rows ?? (await this.#found(node));
    this.known(node, count);
    if (stage && stage.input !== null && 'input' in node && node.input) this.known(node.input, stage.input);
    return count;
  }

  async #found(node: PlanNode): Promise<bigint> {
    if (node.preservesCount && 'input' in node && node.input) return await this.of(node.input);
    switch (node.kind) {
      case 'drop':
      case 'memlookup-drop':
        return 0n;
      case 'repeat':
        return (await this.of(node.input)) * node.count;
      case 'union':
        return (node.input ? await this.of(node.input) : 0n) + (await this.of(node.right.result));
      case 'remote':
        return await this.of(node.right.result);
      case 'proc':
        return await this.of(node.body.result);
      case 'stats':
        return node.by.length === 0 ? 1n : await this.#count(node);
      default:
        return await this.#count(node);
    }
  }
}
