// Commands that run locally, one row at a time in order (15.10): each row goes through all of them before the next one
// comes, so that parameters that evalc has set are those of the row before. Counts are those of rows really handed on.

import type { Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { cutOf, declarationOf } from '#query/plan-nodes/facts.ts';
import type { LocalStep } from '#query/plan-nodes/local-form.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { RowCut } from '#query/plan-nodes/plan-node.ts';
import type { LocalFacts } from '#query/plan-nodes/shared/row-scope.ts';
import type { Row } from '#query/rows/row.ts';
import { scopeOf } from './record-steps.ts';

/** Whether some limit lets nothing through. A sink before it gets all of its rows. */
export function asksForNothing(nodes: readonly PlanNode[]): boolean {
  const firstSink = nodes.findIndex(isSink);
  return nodes.slice(0, firstSink === -1 ? nodes.length : firstSink).some((node) => cutOf(node)?.limit === 0n);
}

const isSink = (node: PlanNode): boolean => declarationOf(node).local?.isSink === true;

/** Called with each row that comes to a sink, which may change as soon as it returns. */
type SinkListener = (node: PlanNode, row: Row) => void;

export class LocalPipeline {
  readonly #counts = new Map<PlanNode, bigint>();
  readonly #steps: readonly { readonly planNode: PlanNode; readonly step: LocalStep; readonly isSink: boolean }[];
  readonly #sunk: SinkListener;
  readonly #meter: Steps | undefined;
  #isSatisfied = false;

  /** `nodes` from the first to the last; rows that are pushed are those of the input of the first. */
  constructor(nodes: readonly PlanNode[], facts: LocalFacts, sunk: SinkListener = () => {}) {
    const parameters = new Map<string, Value>();
    this.#meter = facts.run.steps;
    this.#sunk = sunk;
    let mayEnd = true;
    this.#steps = nodes.map((node) => {
      mayEnd &&= !isSink(node);
      return { planNode: node, step: this.#step(node, facts, { parameters, mayEnd }), isSink: isSink(node) };
    });
    for (const node of nodes) this.#counts.set(node, 0n);
  }

  /** The rows that come out for a row, which is changed on its way. A row may become a million: they come one by one. */
  push(row: Row): Generator<Row> {
    return this.#from(0, row);
  }

  /** Each of several that a step makes of one is a row of its own, with steps of its own. */
  *#from(first: number, row: Row): Generator<Row> {
    this.#meter?.beginRecord();
    let current = row;
    for (let at = first; at < this.#steps.length; at += 1) {
      const { planNode: node, step, isSink: isSunk } = this.#steps[at] ?? noStep(at);
      const made = step(current);
      if (!made) return;
      if (!Array.isArray(made)) {
        for (const one of made) {
          this.#count(node);
          yield* this.#from(at + 1, one);
        }
        return;
      }
      this.#count(node);
      current = made;
      if (isSunk) this.#sunk(node, current);
    }
    yield current;
  }

  #count(node: PlanNode): void {
    this.#counts.set(node, (this.#counts.get(node) ?? 0n) + 1n);
  }

  /** Whether a limit has all its rows, so that no other will come out. */
  get isSatisfied(): boolean {
    return this.#isSatisfied;
  }

  get counts(): ReadonlyMap<PlanNode, bigint> {
    return this.#counts;
  }

  #step(
    node: PlanNode,
    facts: LocalFacts,
    { parameters, mayEnd }: { readonly parameters: Map<string, Value>; readonly mayEnd: boolean },
  ): LocalStep {
    let position = 0n;
    const run = { ...facts.run, nextRow: () => position };
    const own = ownStep(node, { ...facts, run }, { parameters, position: () => position });
    const cut = cutOf(node);
    const step = cut ? this.#limited(own, cut, mayEnd) : own;
    return (row) => {
      position += 1n;
      return step(row);
    };
  }

  /** A limit behind a sink does not end the work: the sink gets all of its rows. */
  #limited(step: LocalStep, { offset, limit }: RowCut, mayEnd: boolean): LocalStep {
    let skipped = 0n;
    let passed = 0n;
    if (limit === 0n && mayEnd) this.#isSatisfied = true;
    return (row) => {
      const one = step(row);
      if (!one) return undefined;
      if (skipped < offset) {
        skipped += 1n;
        return undefined;
      }
      if (limit !== undefined && passed >= limit) return undefined;
      passed += 1n;
      if (passed === limit && mayEnd) this.#isSatisfied = true;
      return one;
    };
  }
}

interface StepState {
  readonly parameters: Map<string, Value>;
  readonly position: () => bigint;
}

/** seq() is the position of the row at the node, the same for all calls. */
function ownStep(node: PlanNode, facts: LocalFacts, state: StepState): LocalStep {
  const { local } = declarationOf(node);
  const scope = scopeOf(facts);
  if (local?.rows) return local.rows(node, { scope, ...state });
  const step = local?.row?.(node, scope);
  if (!step) throw new Error(`${node.command} does not run locally`);
  return (row) => (step(row) ? row : undefined);
}

function noStep(at: number): never {
  throw new Error(`there is no step ${at}`);
}
