// The door of this room: from the text of a query to a plan, or to the mistakes in the text.

import { functions } from './functions/index.ts';
import { JOINT } from './language/joined-text.ts';
import { MAX_WARNINGS, QueryErrorList, type QueryWarning } from './model/query-error.ts';
import type { Plan, PlanNode } from './nodes/plan.ts';
import { type ParsedText, parseText } from './parse.ts';
import {
  CONDITION_COMMANDS,
  CONDITION_FIELDS,
  contextFor,
  newCounts,
  PARSER_COMMANDS,
  PARSER_FIELDS,
  type Pending,
  type PipelinePart,
  planParts,
  planSteps,
  refuseSinks,
  unlessInvalid,
  zoneOf,
} from './pipeline.ts';
import { normalizedText } from './planning/command.ts';
import { Constants } from './planning/constants.ts';
import type { PlanContext } from './planning/planning.ts';
import type { QueryContext } from './planning/query-context.ts';

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

/** A text that has been read. */
interface ReadText {
  readonly parsed: ParsedText;
  readonly mistakes: QueryErrorList;
}

/** A query that has been read, and may be planned as often as what it refers to changes. */
export type ReadQuery = readonly [ReadText, ...ReadText[]];

/** Mistakes are told when it is planned. */
export function readQuery(text: string): ReadQuery {
  const mistakes = new QueryErrorList();
  return [{ parsed: parseText(text, mistakes), mistakes }];
}

/**
 * As `readQuery`, of a query and further commands that another account has written. Each text is read by itself, so that
 * no comment, bracket or quotation mark of one can reach into the other.
 */
export function readJoined(first: string, rest: string): ReadQuery {
  const [lead] = readQuery(first);
  const mistakes = new QueryErrorList();
  // Blanks take the place of the first text, so that positions are those of the joined text.
  const padded = ' '.repeat(first.length + JOINT.length) + rest;
  const parsed = parseText(padded, mistakes, 'steps', countOf(lead.parsed.query));
  return [lead, { parsed, mistakes }];
}

const countOf = ({ commands }: ParsedText['query']): number =>
  commands.reduce((count, { subqueries }) => count + 1 + subqueries.reduce((sum, one) => sum + countOf(one), 0), 0);

/** Reads and plans. */
export const checkQuery = (text: string, queryContext: QueryContext): CheckedQuery =>
  planQuery(readQuery(text), [queryContext]);

/**
 * Throws the first QueryError in the text, which knows of the others. The results of setq commands that have run already are
 * among the surroundings: a query with setq is planned once to check it, and again when they are known. There are
 * surroundings for each text of the query; with `judges: 'last'` mistakes in the texts before the last one are left out.
 */
export function planQuery(
  read: ReadQuery,
  queryContext: readonly QueryContext[],
  judges: 'all' | 'last' = 'all',
): CheckedQuery {
  const zone = read.map(({ parsed }) => zoneOf(parsed.query)).find((named) => named !== undefined);
  const shared = newCounts();
  const [first, ...rest] = read;
  const partOf = ({ parsed: { query } }: ReadText, index: number): PipelinePart => {
    const around = queryContext[index];
    if (!around) throw new Error('every text of a query has queryContext');
    // No engine would run them where the procedure is called.
    if (around.parameters) refuseSinks(query);
    return { query, context: contextFor(query, around, { shared, zone }) };
  };
  const parts = [partOf(first, 0), ...rest.map((text, index) => partOf(text, index + 1))] as const;
  const { context } = parts.at(-1) ?? parts[0];
  const made = planParts(parts, constantsOf(context.queryContext, context.zone));
  const lists = read.map(({ mistakes }, index) => [mistakes, parts[index]?.context.mistakes ?? mistakes]);
  const plan = unlessInvalid(made, ...lists.slice(judges === 'all' ? 0 : -1).flat());
  const { pending } = shared;
  return {
    plan,
    warnings: warningsOf(
      read.flatMap(({ parsed }) => parsed.warnings),
      parts.map((part) => part.context),
    ),
    // Few ask for it, and it takes as long as reading the text did.
    get normalized() {
      return read.map(({ parsed }) => normalizedText(parsed.query)).join(JOINT);
    },
    zone: context.zone,
    ...(pending ? { next: pending } : {}),
  };
}

function constantsOf({ constants, parameters = [] }: QueryContext, zone: string): Constants {
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
export function checkCondition(text: string, queryContext: QueryContext): CheckedCondition {
  return checkSteps(text, {
    queryContext,
    only: CONDITION_COMMANDS,
    fields: CONDITION_FIELDS,
    around: { refusedFunctions: VOLATILE, isMomentary: true },
  });
}

/** A pipeline that is stored under a name for `parse NAME`, over rows of the field `line`. */
export const checkParser = (text: string, queryContext: QueryContext): CheckedCondition =>
  checkSteps(text, { queryContext, only: PARSER_COMMANDS, fields: PARSER_FIELDS });

interface StepsPlace {
  readonly queryContext: QueryContext;
  readonly only: readonly string[];
  readonly fields: readonly string[];
  readonly around?: Parameters<typeof contextFor>[2];
}

function checkSteps(text: string, { queryContext, only, fields, around }: StepsPlace): CheckedCondition {
  const mistakes = new QueryErrorList();
  const parsed = parseText(text, mistakes, { only });
  const context = contextFor(parsed.query, queryContext, around);
  const steps = unlessInvalid(planSteps(parsed.query, context, fields), mistakes, context.mistakes);
  return { steps, warnings: warningsOf(parsed.warnings, [context]), normalized: normalizedText(parsed.query) };
}

const warningsOf = (parsed: readonly QueryWarning[], contexts: readonly PlanContext[]): QueryWarning[] =>
  [...parsed, ...contexts.flatMap(({ warnings }) => warnings)]
    .sort((one, other) => one.begin - other.begin)
    .slice(0, MAX_WARNINGS);
