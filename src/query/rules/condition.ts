// Conditions of stream rules (13): the text is parsed once and compiled to closures that evaluate one record at a time.
// No record makes a rule fail: a value that cannot be computed is null.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { compileReading, compileSteps } from '#query/local/record-steps.ts';
import type { Clues } from '#query/model/clue.ts';
import type { Rows } from '#query/model/columns.ts';
import { type Expression, type FieldRead, someWithin } from '#query/model/expression.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { chainTo, declarationOf, expressionsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { LocalFacts } from '#query/plan-nodes/shared/row-scope.ts';
import { checkCondition } from '#query/query.ts';
import type { AddressGroup } from '#query/values/addresses/address-group.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import type { StepMeter } from '#query/values/steps.ts';
import { cluesOf } from './clues.ts';

export interface RuleContext {
  readonly zone: string;
  /** The account whose rights the rule has. */
  readonly user: string;
  /** The constants of the rule. */
  readonly constants: ReadonlyMap<string, Value>;
  /** All address groups by GUID, in lower case; called for every record, because a change replaces the whole map. */
  readonly groups: () => ReadonlyMap<string, AddressGroup>;
  readonly now: () => Temporal.Instant;
  /** Limits the work for a record; the caller of `judge` marks where a record and a rule begin. */
  readonly steps?: StepMeter;
}

interface Condition {
  /** Normalized text. */
  readonly text: string;
  readonly warnings: readonly QueryWarning[];
  /**
   * The resulting row, or undefined if the rule does not match. Throws StepsExceeded if the record takes too many
   * steps.
   */
  readonly judge: (record: MapValue) => MapValue | undefined;
  /** True if the resulting row is always the record itself. */
  readonly isOnlyTest: boolean;
  /** The fields of the record that the rule reads. */
  readonly reads: readonly string[];
  /** What the record must contain: every element of the list, and of each element at least one clue. */
  readonly clues: readonly Clues<Reading>[];
}

/** A value that is read from a record; equal keys read equal values. */
export interface Reading {
  readonly key: string;
  readonly read: (record: MapValue) => Value;
}

/** Throws the first QueryError in the text. */
export function* compileRule(text: string, context: RuleContext): SlicedWork<Condition> {
  const run = new RecordFacts(context);
  const { steps: _, ...unmetered } = context;
  const constantRun = new RecordFacts(unmetered);
  const { steps, normalized, warnings } = yield* checkCondition(text, {
    now: context.now(),
    zone: context.zone,
    // No command here reads a table.
    node: '',
    tables: new Map(),
    writableTables: new Set(),
    lookups: new Map(),
    memoryLookups: new Map(),
    mayMakeLookups: false,
    parsers: new Map(),
    procedures: new Map(),
    groups: new Set(context.groups().keys()),
    systemObjects: new Set(),
    constants: context.constants,
    evaluate: (expression, constants) => evaluateConstant(expression, constantRun, constants),
  });
  const constants = new Map<string, Value>([...context.constants, ['_timezone', context.zone]]);
  const facts: LocalFacts = { run, constants, isLenient: true };
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

/** Clues of all steps, without those on values that a step has computed: they cannot be read from the record. */
function readableClues(steps: PlanNode, facts: LocalFacts): Clues<Reading>[] {
  const nodes = chainTo(steps);
  const given = nodes[0]?.rows ?? steps.rows;
  const reading = (of: Expression): Reading | undefined =>
    isReadable(of, given) ? { key: expressionText(of), read: compileReading(of, given, facts) } : undefined;
  return nodes.flatMap(cluesOfPlanNode).flatMap((clues) => {
    const read = clues.flatMap((clue) => {
      const of = reading(clue.of);
      return of ? [{ ...clue, of }] : [];
    });
    return read.length === clues.length ? [read] : [];
  });
}

function cluesOfPlanNode(node: PlanNode): readonly Clues[] {
  const condition = declarationOf(node).condition?.(node);
  return condition ? cluesOf(condition) : [];
}

/** True if the value depends on the text of the expression and the record alone, not on the rule or the time. */
function isReadable(expression: Expression, given: Rows): boolean {
  return !someWithin(expression, (inner) => {
    if (inner.kind === 'literal') return inner.value !== null && typeof inner.value === 'object';
    if (inner.kind === 'call') return inner.called.momentary === true;
    if (inner.kind !== 'field') return inner.kind === 'parameter';
    return inner.source?.kind !== 'element' && nameIn(given, inner) !== inner.name;
  });
}

/** The name of a field in the record; undefined for a field that an earlier step has computed. */
function nameIn({ columns, overflow }: Rows, { name, source }: FieldRead): string | undefined {
  if (source?.kind === 'column') return columns.find(({ id }) => id === source.id)?.name;
  return source?.kind === 'overflow' && source.id === overflow?.id ? name : undefined;
}

/** Field names in order of first use. */
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

/** The facts for one record: one time, and the groups at that time. */
export class RecordFacts implements RunFacts {
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
    throw new Error('records of a rule have no order');
  }
}
