// The door of this room: from the text of a query to a plan, or to the mistakes in the text.

import { normalizedText } from './command.ts';
import { Constants } from './constants.ts';
import { functions } from './functions/index.ts';
import { MAX_WARNINGS, MistakeList, type QueryWarning } from './mistake.ts';
import { type ParsedText, parseText } from './parse.ts';
import {
  CONDITION_COMMANDS,
  CONDITION_FIELDS,
  contextFor,
  PARSER_COMMANDS,
  PARSER_FIELDS,
  type Pending,
  planPipeline,
  planSteps,
  refuseSinks,
  unlessMistaken,
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

/** A text that has been read, and may be planned as often as what it refers to changes. */
export interface ReadQuery {
  readonly parsed: ParsedText;
  readonly mistakes: MistakeList;
}

/** Mistakes are told when it is planned. */
export function readQuery(text: string): ReadQuery {
  const mistakes = new MistakeList();
  return { parsed: parseText(text, mistakes), mistakes };
}

/** Reads and plans. */
export const checkQuery = (text: string, surroundings: Surroundings): CheckedQuery =>
  planQuery(readQuery(text), surroundings);

/**
 * Throws the first QueryMistake in the text, which knows of the others. The results of setq commands that have run already are
 * among the surroundings: a query with setq is planned once to check it, and again when they are known.
 */
export function planQuery({ parsed, mistakes }: ReadQuery, surroundings: Surroundings): CheckedQuery {
  const context = contextFor(parsed.query, surroundings);
  // No engine would run them where the procedure is called.
  if (surroundings.parameters) refuseSinks(parsed.query);
  const made = planPipeline(parsed.query, context, constantsOf(surroundings, context.zone));
  const plan = unlessMistaken(made, mistakes, context.mistakes);
  const { pending } = context.shared;
  return {
    plan,
    warnings: warningsOf(parsed.warnings, context),
    // Few ask for it, and it takes as long as reading the text did.
    get normalized() {
      return normalizedText(parsed.query);
    },
    zone: context.zone,
    ...(pending ? { next: pending } : {}),
  };
}

function constantsOf({ constants, parameters = [] }: Surroundings, zone: string): Constants {
  const known = Constants.of(constants, zone);
  for (const { name, type } of parameters) known.set(name, type);
  return known;
}

export interface CheckedCondition {
  /** Its lowest node has the kind `given`: the record. */
  readonly steps: PlanNode;
  readonly warnings: readonly QueryWarning[];
  readonly normalized: string;
}

/** Give another value for every record, which a rule must not depend on. */
const VOLATILE = new Set(functions.flatMap(({ name, volatile, ordered }) => (volatile || ordered ? [name] : [])));

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
  const mistakes = new MistakeList();
  const parsed = parseText(text, mistakes, { only });
  const context = contextFor(parsed.query, surroundings, around);
  const steps = unlessMistaken(planSteps(parsed.query, context, fields), mistakes, context.mistakes);
  return { steps, warnings: warningsOf(parsed.warnings, context), normalized: normalizedText(parsed.query) };
}

const warningsOf = (parsed: readonly QueryWarning[], { warnings }: PlanContext): QueryWarning[] =>
  [...parsed, ...warnings].sort((one, other) => one.begin - other.begin).slice(0, MAX_WARNINGS);
