// The door of this room: from the text of a query to a plan, or to the first mistake in the text.

import { normalizedText } from './command.ts';
import { Constants } from './constants.ts';
import { MAX_WARNINGS, QueryMistake, type QueryWarning } from './mistake.ts';
import { firstOf, parseText } from './parse.ts';
import {
  CONDITION_COMMANDS,
  CONDITION_FIELDS,
  contextFor,
  PARSER_COMMANDS,
  PARSER_FIELDS,
  type Pending,
  planPipeline,
  planSteps,
} from './pipeline.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { PlanContext } from './planning.ts';
import type { Surroundings } from './surroundings.ts';

export interface CheckedQuery {
  readonly plan: Plan;
  readonly warnings: readonly QueryWarning[];
  /** Of the whole query. */
  readonly normalized: string;
  /** The query's zone. */
  readonly zone: string;
  /**
   * What must run before the rest is known, all that it depends on being known: run it, append the first row to the
   * `setqResults` of the surroundings or the columns to their `chartColumns`, and check again. Without it the plan is
   * complete.
   */
  readonly next?: Pending;
}

/**
 * Parses and plans; throws the first QueryMistake in the text. The results of setq commands that have run already are
 * among the surroundings: a query with setq is planned once to check it, and again when they are known.
 */
export function checkQuery(text: string, surroundings: Surroundings): CheckedQuery {
  const parsed = parseText(text);
  const context = contextFor(parsed.query, surroundings);
  const plan = unlessMistaken(parsed.mistake, () =>
    planPipeline(parsed.query, context, Constants.of(surroundings.constants, context.zone)),
  );
  const { pending } = context.shared;
  return {
    plan,
    warnings: warningsOf(parsed.warnings, context),
    normalized: normalizedText(parsed.query),
    zone: context.zone,
    ...(pending ? { next: pending } : {}),
  };
}

export interface CheckedCondition {
  /** Its lowest node has the kind `given`: the record. */
  readonly steps: PlanNode;
  readonly warnings: readonly QueryWarning[];
  readonly normalized: string;
}

/** Give another value for every record, which a rule must not depend on. */
const VOLATILE = new Set(['seq', 'rand', 'guid']);

/** The condition of a stream rule (13): each record goes through by itself. The constants are the rule's own. */
export function checkCondition(text: string, surroundings: Surroundings): CheckedCondition {
  return checkSteps(text, {
    surroundings,
    only: CONDITION_COMMANDS,
    fields: CONDITION_FIELDS,
    around: { refusedFunctions: VOLATILE, isMomentary: true },
  });
}

/** A pipeline that is stored under a name for `parse NAME`, over rows of the field `line`. */
export const checkParser = (text: string, surroundings: Surroundings): CheckedCondition =>
  checkSteps(text, { surroundings, only: PARSER_COMMANDS, fields: PARSER_FIELDS });

interface StepsPlace {
  readonly surroundings: Surroundings;
  readonly only: readonly string[];
  readonly fields: readonly string[];
  readonly around?: Parameters<typeof contextFor>[2];
}

function checkSteps(text: string, { surroundings, only, fields, around }: StepsPlace): CheckedCondition {
  const parsed = parseText(text, { only });
  const context = contextFor(parsed.query, surroundings, around);
  const steps = unlessMistaken(parsed.mistake, () => planSteps(parsed.query, context, fields));
  return { steps, warnings: warningsOf(parsed.warnings, context), normalized: normalizedText(parsed.query) };
}

/** Of a mistake found by the parser and one found by the planner the first in the text counts. */
function unlessMistaken<T>(found: QueryMistake | undefined, plan: () => T): T {
  let planned: { readonly value: T } | undefined;
  const mistakes = found ? [found] : [];
  try {
    planned = { value: plan() };
  } catch (failure) {
    if (!(failure instanceof QueryMistake)) throw failure;
    mistakes.push(failure);
  }
  const first = firstOf(mistakes);
  if (first || !planned) throw first ?? new Error('what has no mistakes has a plan');
  return planned.value;
}

const warningsOf = (parsed: readonly QueryWarning[], { warnings }: PlanContext): QueryWarning[] =>
  [...parsed, ...warnings].sort((one, other) => one.begin - other.begin).slice(0, MAX_WARNINGS);
