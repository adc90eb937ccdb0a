// Conditions of stream rules (13): the text is parsed once and compiled to closures that evaluate one record at a time.
// No record makes a rule fail: a value that cannot be computed is null.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { compileReading, compileSteps } from '#query/local/record-steps.ts';
import type { Clues } from '#query/model/clue.ts';
import type { Rows } from '#query/model/columns.ts';
import { type Expression, type FieldRead, someWithin } from '#query/model/expression.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { chainTo, declarationOf, expressionsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { LocalFacts } from '#query/plan-nodes/shared/row-scope.ts';
import { checkCondition } from '#query/query.ts';
import { cluesOf } from './clues.ts';
import { RecordFacts, type RuleContext, recordQuery } from './record-facts.ts';

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
  const { steps, normalized, warnings } = yield* checkCondition(text, recordQuery(context));
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
