// Commands that run in the host, one row at a time in order (15.10): each row goes through all of them before the next one
// comes, so that what evalc has left in a parameter is there for it. Counts are those of rows really handed on.

import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Evalc, Explode, PlanNode, WindowScan } from '#query/nodes/plan.ts';
import { rowJson } from '#query/rows/whole-rows.ts';
import { binned } from '#query/values/bins.ts';
import { compileExpression, type EvaluationScope } from '#query/values/evaluator.ts';
import { checkElements } from '#query/values/sizes.ts';
import { JSON_WEIGHT, type StepMeter } from '#query/values/steps.ts';
import { compileStep, type Facts, type Row, readField } from './row-steps.ts';
import { compileText } from './text-conditions.ts';

/** The row that goes on, or nothing; several where a step makes more of one. */
type HostStep = (row: Row) => Row | undefined | Generator<Row>;

/** What a row passes by itself, and what makes no more of it than it holds. */
const HOST_KINDS: readonly PlanNode['kind'][] = [
  ...(['evalc', 'filter', 'project', 'rex', 'parse', 'parse-fields', 'matchnet', 'bin', 'explode'] as const),
  ...(['tojson', 'pass', 'block', 'drop', 'limit'] as const),
];

export const runsInHost = (node: PlanNode): boolean => HOST_KINDS.includes(node.kind);

/** Whether some limit lets nothing through. */
export const asksForNothing = (nodes: readonly PlanNode[]): boolean =>
  nodes.some((node) => ('count' in node ? node.count : 'limit' in node ? node.limit : undefined) === 0n);

export class HostPipeline {
  readonly #counts = new Map<PlanNode, bigint>();
  readonly #steps: readonly { readonly node: PlanNode; readonly step: HostStep }[];
  readonly #meter: StepMeter | undefined;
  #isSatisfied = false;

  /** From the first to the last; rows that are pushed are those of the input of the first. */
  constructor(nodes: readonly PlanNode[], facts: Facts) {
    const parameters = new Map<string, Value>();
    this.#meter = facts.run.steps;
    this.#steps = nodes.map((node) => ({ node, step: this.#step(node, facts, parameters) }));
    for (const node of nodes) this.#counts.set(node, 0n);
  }

  /** What comes out for a row that goes in, which is changed on its way. A row may become a million: they come one by one. */
  push(row: Row): Generator<Row> {
    return this.#from(0, row);
  }

  /** Each of several that a step makes of one is a row of its own, with steps of its own. */
  *#from(first: number, row: Row): Generator<Row> {
    this.#meter?.beginRecord();
    let current = row;
    for (let at = first; at < this.#steps.length; at += 1) {
      const { node, step } = this.#steps[at] ?? noStep(at);
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

  #step(node: PlanNode, facts: Facts, parameters: Map<string, Value>): HostStep {
    switch (node.kind) {
      case 'evalc':
        return assigning(node, facts, parameters);
      case 'window':
        return this.#limit(node.limit, node.offset, arrived(node, facts));
      case 'limit':
        return this.#limit(node.count, node.offset, (row) => row);
      case 'filter':
        return node.limit === undefined ? single(node, facts) : this.#limit(node.limit, 0n, single(node, facts));
      case 'pass':
      case 'block':
        return (row) => row;
      case 'drop':
        return () => undefined;
      case 'explode':
        return exploding(node, facts);
      case 'bin': {
        const source = compileExpression(node.source, scopeOf(facts));
        return (row) => withValues(row, [node.column.id, binned(source(row), node, facts.run.zone)]);
      }
      case 'tojson': {
        const json = rowJson(node, scopeOf(facts));
        const meter = this.#meter;
        return (row) => {
          for (const value of row) meter?.takeDeep(value ?? null, JSON_WEIGHT);
          return withValues(row, [node.column.id, json(row)]);
        };
      }
      default:
        return single(node, facts);
    }
  }

  #limit(count: bigint | undefined, offset: bigint, step: (row: Row) => Row | undefined): HostStep {
    let [skipped, passed] = [0n, 0n];
    if (count === 0n) this.#isSatisfied = true;
    return (row) => {
      const one = step(row);
      if (!one) return undefined;
      if (skipped < offset) {
        skipped += 1n;
        return undefined;
      }
      if (count !== undefined && passed >= count) return undefined;
      passed += 1n;
      if (passed === count) this.#isSatisfied = true;
      return one;
    };
  }
}

function exploding({ source, column, position, exploded, before }: Explode, facts: Facts): HostStep {
  const read = compileExpression(source, scopeOf(facts));
  return function* (row) {
    const items = elements(read(row));
    const made = before === undefined ? 1 : Number(row[before] ?? 1);
    const count = BigInt(checkElements(items.length, made, facts.run));
    for (const [at, item] of items.entries()) {
      yield withValues(row, [column.id, item], [position, BigInt(at)], [exploded, count]);
    }
  };
}

const scopeOf = (facts: Facts): EvaluationScope<Row> => ({ ...facts, field: readField });

function arrived({ sought, rows }: WindowScan, facts: Facts): (row: Row) => Row | undefined {
  if (!sought) return (row) => row;
  const fits = compileText(sought, rows, scopeOf(facts));
  return (row) => (fits(row) ? row : undefined);
}

/** seq() is the row's place at the node, whichever call asks. */
function single(node: PlanNode, facts: Facts): (row: Row) => Row | undefined {
  let place = 0n;
  const step = compileStep(node, { ...facts, run: { ...facts.run, nextRow: () => place } });
  return (row) => {
    place += 1n;
    return step(row) ? row : undefined;
  };
}

function assigning(node: Evalc, facts: Facts, parameters: Map<string, Value>): HostStep {
  let place = 0n;
  const scope = scopeOf({ ...facts, run: { ...facts.run, nextRow: () => place } });
  const assigned = node.assigned.map(({ column, value }) => ({ column, evaluate: compileExpression(value, scope) }));
  return (row) => {
    row[node.sequence] = place;
    place += 1n;
    for (const { column, initial } of node.before) {
      row[column.id] = parameters.has(column.name) ? (parameters.get(column.name) ?? null) : initial;
    }
    for (const { column, evaluate } of assigned) {
      const value = evaluate(row);
      row[column.id] = value;
      parameters.set(column.name, value);
    }
    return row;
  };
}

function noStep(at: number): never {
  throw new Error(`there is no step ${at}`);
}

/** A list that is empty counts as null. */
export const elements = (value: Value): readonly Value[] =>
  Array.isArray(value) && value.length > 0 ? value : Array.isArray(value) ? [null] : [value];

/** A row of its own. */
function withValues(row: Row, ...pairs: readonly (readonly [ColumnId, Value])[]): Row {
  const made = row.slice();
  for (const [id, value] of pairs) made[id] = value;
  return made;
}
