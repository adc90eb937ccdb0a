// From the text of a query to a plan, or to the errors in the text: the entry of this room.

import { PlanReferences } from './analysis/references.ts';
import { functions } from './functions/index.ts';
import { JOINT } from './language/joined-text.ts';
import { MAX_WARNINGS, QueryErrorList, type QueryWarning } from './model/query-error.ts';
import type { Plan, PlanNode } from './nodes/plan.ts';
import { type ParsedText, parseText } from './parse.ts';
import {
  CONDITION_COMMANDS,
  CONDITION_FIELDS,
  contextFor,
  givenConstants,
  newCounts,
  PARSER_COMMANDS,
  PARSER_FIELDS,
  type PipelinePart,
  planParts,
  planSteps,
  refuseSinks,
  unlessInvalid,
  zoneOf,
} from './pipeline.ts';
import { normalizedText } from './planning/command.ts';
import type { Pending } from './planning/pending-parts.ts';
import type { PlanContext } from './planning/plan-context.ts';
import type { QueryContext } from './planning/query-context.ts';

export interface CheckedQuery {
  readonly plan: Plan;
  readonly references: PlanReferences;
  /** The first phase of the text that has not ended: alone, without the others. */
  readonly phase: Plan;
  readonly warnings: readonly QueryWarning[];
  /** Of the whole query. */
  readonly normalized: string;
  /** The query's zone. */
  readonly zone: string;
  /**
   * The part that must run before the rest is known: run it, put its first row into the `setqResults` of the context, its
   * columns into `chartColumns` or its end into `endedPhases`, and check again. Absent: the plan is complete.
   */
  readonly next?: Pending;
}

/** A text that has been read. */
interface ReadText {
  readonly parsed: ParsedText;
  readonly errors: QueryErrorList;
}

/** A query that has been read, and may be planned again when the objects that it refers to change. */
export type ReadQuery = readonly [ReadText, ...ReadText[]];

/** Errors are thrown when it is planned. */
export function readQuery(text: string): ReadQuery {
  const errors = new QueryErrorList();
  return [{ parsed: parseText(text, errors), errors }];
}

/**
 * As `readQuery`, of a query and further commands that another account has written. Each text is read by itself, so that
 * no comment, bracket or quotation mark of one can reach into the other.
 */
export function readJoined(first: string, rest: string): ReadQuery {
  const [lead] = readQuery(first);
  const errors = new QueryErrorList();
  // Blanks take the place of the first text, so that positions are those of the joined text.
  const padded = ' '.repeat(first.length + JOINT.length) + rest;
  const parsed = parseText(padded, errors, 'steps', countOf(lead.parsed.query));
  return [lead, { parsed, errors }];
}

const countOf = ({ commands }: ParsedText['query']): number =>
  commands.reduce((count, { subqueries }) => count + 1 + subqueries.reduce((sum, one) => sum + countOf(one), 0), 0);

/** Reads and plans. */
export const checkQuery = (text: string, queryContext: QueryContext): CheckedQuery =>
  planQuery(readQuery(text), [queryContext]);

/**
 * Throws the first QueryError in the text, which lists the others. The results of setq commands that have run already are
 * in the context: a query with setq is planned once to check it, and again when they are known. Each text of the query has
 * a context of its own; with `judges: 'last'` errors in the texts before the last one are left out.
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
    const own = queryContext[index];
    if (!own) throw new Error('every text of a query has a context');
    // No engine runs sinks where the procedure is called.
    if (own.parameters) refuseSinks(query);
    return { query, context: contextFor(query, own, { shared, zone }) };
  };
  const parts = [partOf(first, 0), ...rest.map((text, index) => partOf(text, index + 1))] as const;
  const { context } = parts.at(-1) ?? parts[0];
  const constants = givenConstants(context.queryContext, context.zone);
  const made = shared.pending.within('query', () => planParts(parts, constants));
  const lists = read.map(({ errors }, index) => [errors, parts[index]?.context.errors ?? errors]);
  const plan = unlessInvalid(made, ...lists.slice(judges === 'all' ? 0 : -1).flat());
  const { first: next } = shared.pending;
  return {
    plan,
    references: new PlanReferences(plan),
    phase: plan.earlier.find(({ isEnded }) => !isEnded) ?? { ...plan, earlier: [] },
    warnings: warningsOf(
      read.flatMap(({ parsed }) => parsed.warnings),
      parts.map((part) => part.context),
    ),
    // Rarely used, and as expensive as reading the text.
    get normalized() {
      return read.map(({ parsed }) => normalizedText(parsed.query)).join(JOINT);
    },
    zone: context.zone,
    ...(next ? { next } : {}),
  };
}

export interface CheckedCondition {
  /** Its lowest node has the kind `given`: the record. */
  readonly steps: PlanNode;
  readonly warnings: readonly QueryWarning[];
  readonly normalized: string;
}

/** Functions with another value for every record, on which a rule must not depend. */
const VOLATILE = new Set(functions.flatMap(({ name, volatile, ordered }) => (volatile || ordered ? [name] : [])));

/** The condition of a stream rule (13): each record goes through by itself. The constants are the rule's own. */
export function checkCondition(text: string, queryContext: QueryContext): CheckedCondition {
  return checkSteps(text, {
    queryContext,
    only: CONDITION_COMMANDS,
    fields: CONDITION_FIELDS,
    planning: { refusedFunctions: VOLATILE, isMomentary: true },
  });
}

/** A pipeline that is stored under a name for `parse NAME`, over rows of the field `line`. */
export const checkParser = (text: string, queryContext: QueryContext): CheckedCondition =>
  checkSteps(text, { queryContext, only: PARSER_COMMANDS, fields: PARSER_FIELDS });

interface StepsOptions {
  readonly queryContext: QueryContext;
  readonly only: readonly string[];
  readonly fields: readonly string[];
  readonly planning?: Parameters<typeof contextFor>[2];
}

function checkSteps(text: string, { queryContext, only, fields, planning }: StepsOptions): CheckedCondition {
  const errors = new QueryErrorList();
  const parsed = parseText(text, errors, { only });
  const context = contextFor(parsed.query, queryContext, planning);
  const steps = unlessInvalid(planSteps(parsed.query, context, fields), errors, context.errors);
  return { steps, warnings: warningsOf(parsed.warnings, [context]), normalized: normalizedText(parsed.query) };
}

const warningsOf = (parsed: readonly QueryWarning[], contexts: readonly PlanContext[]): QueryWarning[] =>
  [...parsed, ...contexts.flatMap(({ warnings }) => warnings)]
    .sort((one, other) => one.begin - other.begin)
    .slice(0, MAX_WARNINGS);
