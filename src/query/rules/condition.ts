// Conditions of stream rules (13), ready to judge records: the text is read once and becomes closures, of which each
// record goes through by itself. No record can stop a rule: what cannot be worked out is null.

import { NODE_NAME } from '#contract/values.ts';
import { compileReading, compileSteps } from '#query/host/record-steps.ts';
import { expressionText } from '#query/language/expression-text.ts';
import type { Rows } from '#query/model/columns.ts';
import { type Expression, type FieldRead, someWithin } from '#query/model/expression.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { chainTo, declarationOf, expressionsOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { HostFacts } from '#query/nodes/shared/row-scope.ts';
import { checkCondition } from '#query/query.ts';
import type { AddressGroup } from '#query/values/address-group.ts';
import { evaluateConstant } from '#query/values/evaluator.ts';
import type { StepMeter } from '#query/values/steps.ts';
import { type Clues, cluesOf } from './clues.ts';

export interface RuleContext {
  readonly zone: string;
  /** Whose rights the rule has. */
  readonly user: string;
  /** The rule's own constants. */
  readonly constants: ReadonlyMap<string, Value>;
  /** All address groups by GUID, in lower case; asked for with every record, so that they are replaced as a whole. */
  readonly groups: () => ReadonlyMap<string, AddressGroup>;
  readonly now: () => Temporal.Instant;
  /** Bounds the work for a record; whoever judges says when a record and a rule begin. */
  readonly steps?: StepMeter;
}

interface Condition {
  /** Normalized. */
  readonly text: string;
  readonly warnings: readonly QueryWarning[];
  /** The row that comes out; undefined where the rule does not match. Throws StepsExceeded where it takes too much. */
  readonly judge: (record: MapValue) => MapValue | undefined;
  /** Whether that is always the record itself. */
  readonly isOnlyTest: boolean;
  /** The fields of the record that it looks at. */
  readonly reads: readonly string[];
  /** What the record must have: all in the list, and of each one thing at least. */
  readonly clues: readonly Clues<Reading>[];
}

/** Something that is read of a record, the same wherever the key is. */
export interface Reading {
  readonly key: string;
  readonly read: (record: MapValue) => Value;
}

/** Throws the first QueryError in the text. */
export function compileRule(text: string, context: RuleContext): Condition {
  const run = new RecordFacts(context);
  const { steps: _, ...unmetered } = context;
  const constantRun = new RecordFacts(unmetered);
  const { steps, normalized, warnings } = checkCondition(text, {
    now: context.now(),
    zone: context.zone,
    node: NODE_NAME,
    tables: new Map(),
    writableTables: new Set(),
    lookups: new Map(),
    parsers: new Map(),
    procedures: new Map(),
    groups: new Set(context.groups().keys()),
    systemObjects: new Set(),
    constants: context.constants,
    evaluate: (expression, constants) => evaluateConstant(expression, constantRun, constants),
  });
  const constants = new Map<string, Value>([...context.constants, ['_timezone', context.zone]]);
  const facts: HostFacts = { run, constants, isLenient: true };
  const { pass, isOnlyTest } = compileSteps(steps, facts);
  return {
    text: normalized,
    warnings,
    isOnlyTest,
    reads: readsOf(steps),
    clues: readableClues(steps, facts),
    judge: (record) => {
      run.begin();
      return pass(record);
    },
  };
}

/** Whatever is made on the way: a column that came with the record is the record's for as long as it can be named. */
function readableClues(steps: PlanNode, facts: HostFacts): Clues<Reading>[] {
  const nodes = chainTo(steps);
  const given = nodes[0]?.rows ?? steps.rows;
  const reading = (of: Expression): Reading | undefined =>
    isReadable(of, given) ? { key: expressionText(of), read: compileReading(of, given, facts) } : undefined;
  return nodes.flatMap(cluesOfNode).flatMap((clues) => {
    const read = clues.flatMap((clue) => {
      const of = reading(clue.of);
      return of ? [{ ...clue, of }] : [];
    });
    return read.length === clues.length ? [read] : [];
  });
}

function cluesOfNode(node: PlanNode): readonly Clues[] {
  const condition = declarationOf(node).condition?.(node);
  return condition ? cluesOf(condition) : [];
}

/** The same for every rule and at every moment, and known by its text alone. */
function isReadable(expression: Expression, given: Rows): boolean {
  return !someWithin(expression, (inner) => {
    if (inner.kind === 'literal') return inner.value !== null && typeof inner.value === 'object';
    if (inner.kind === 'call') return inner.called.momentary === true;
    if (inner.kind !== 'field') return inner.kind === 'parameter';
    return inner.source?.kind !== 'element' && nameIn(given, inner) !== inner.name;
  });
}

/** What the record itself calls a field; undefined for one that was made on the way. */
function nameIn({ columns, overflow }: Rows, { name, source }: FieldRead): string | undefined {
  if (source?.kind === 'column') return columns.find(({ id }) => id === source.id)?.name;
  return source?.kind === 'overflow' && source.id === overflow?.id ? name : undefined;
}

/** By name, in the order in which they are met. */
function readsOf(steps: PlanNode): string[] {
  const nodes = chainTo(steps);
  const given = nodes[0]?.rows ?? steps.rows;
  const names = new Set<string>();
  for (const expression of nodes.flatMap(expressionsOf)) {
    someWithin(expression, (inner) => {
      const name = inner.kind === 'field' ? nameIn(given, inner) : undefined;
      if (name !== undefined) names.add(name);
      return false;
    });
  }
  return [...names];
}

/** What a record is looked at with: one moment, and the groups of that moment. */
class RecordFacts implements RunFacts {
  readonly zone: string;
  readonly user: string;
  readonly steps?: StepMeter;
  readonly #context: RuleContext;
  #now: Temporal.Instant | undefined;

  constructor(context: RuleContext) {
    this.zone = context.zone;
    this.user = context.user;
    if (context.steps) this.steps = context.steps;
    this.#context = context;
  }

  begin(): void {
    this.#now = undefined;
  }

  get now(): Temporal.Instant {
    this.#now ??= this.#context.now();
    return this.#now;
  }

  get groups(): ReadonlyMap<string, AddressGroup> {
    return this.#context.groups();
  }

  nextRow(): bigint {
    throw new Error('records have no place in an order');
  }
}
