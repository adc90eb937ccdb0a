// From the text of a query to a plan, or to the errors in the text: the entry of this room.

import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { PlanReferences } from './analysis/references.ts';
import { functions } from './functions/index.ts';
import { addHints, type HintFacts } from './hints.ts';
import { JOINT } from './language/joined-text.ts';
import {
  type CommandOutline,
  firstQueryError,
  type QueryError,
  QueryErrorList,
  type QueryWarning,
  QueryWarningList,
} from './model/query-error.ts';
import { hasChange, outlineOf } from './outline.ts';
import { type ParsedText, type Procedures, parseText } from './parse.ts';
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
} from './pipeline.ts';
import { commandsIn, zoneOf } from './pipeline-rules.ts';
import type { Plan, PlanNode } from './plan-nodes/plan.ts';
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
  /** Commands of the outermost pipeline. */
  readonly outline: () => readonly CommandOutline[];
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
export function* readQuery(text: string, procedures: Procedures = new Map()): SlicedWork<ReadQuery> {
  const errors = new QueryErrorList();
  return [{ parsed: yield* parseText(text, errors, { procedures }), errors }];
}

/** A text with the procedures of the account that has written it. */
interface AccountText {
  readonly text: string;
  readonly procedures: Procedures;
}

/**
 * As `readQuery`, of a query and further commands that another account has written. Each text is read by itself, so that
 * no comment, bracket or quotation mark of one can reach into the other.
 */
export function* readJoined(first: AccountText, rest: AccountText): SlicedWork<ReadQuery> {
  const [lead] = yield* readQuery(first.text, first.procedures);
  const errors = new QueryErrorList();
  // Blanks take the place of the first text, so that positions are those of the joined text.
  const padded = ' '.repeat(first.text.length + JOINT.length) + rest.text;
  const commandsBefore = commandsIn(lead.parsed.query);
  const { procedures } = rest;
  const parsed = yield* parseText(padded, errors, { kind: 'steps', commandsBefore, procedures });
  return [lead, { parsed, errors }];
}

/** Reads and plans at once, for texts that are known to be short. */
export const checkQuery = (text: string, queryContext: QueryContext): CheckedQuery =>
  runToEnd(planQuery(runToEnd(readQuery(text, queryContext.procedures)), [queryContext]));

/**
 * Throws the first QueryError in the text, which lists the others. The results of setq commands that have run already are
 * in the context: a query with setq is planned once to check it, and again when they are known. Each text of the query has
 * a context of its own; with `judges: 'last'` errors in the texts before the last one are left out.
 */
export function* planQuery(
  read: ReadQuery,
  queryContext: readonly QueryContext[],
  judges: 'all' | 'last' = 'all',
): SlicedWork<CheckedQuery> {
  const zone = read.map(({ parsed }) => zoneOf(parsed.query)).find((named) => named !== undefined);
  const shared = newCounts(read.reduce((count, { parsed }) => count + commandsIn(parsed.query), 0));
  const [first, ...rest] = read;
  const partOf = ({ parsed: { query } }: ReadText, index: number): PipelinePart => {
    const own = queryContext[index];
    if (!own) throw new Error('every text of a query has a context');
    return { query, context: contextFor(query, own, { shared, zone }) };
  };
  const parts = [partOf(first, 0), ...rest.map((text, index) => partOf(text, index + 1))] as const;
  const { context } = parts.at(-1) ?? parts[0];
  const constants = givenConstants(context.queryContext, context.zone);
  const made = yield* shared.pending.within('query', () => planParts(parts, constants));
  const lists = read.map(({ errors }, index) => [errors, parts[index]?.context.errors ?? errors]);
  const from = judges === 'all' ? 0 : -1;
  const warnings = warningsOf(
    read.slice(from).flatMap(({ parsed }) => parsed.warnings),
    parts.slice(from).map((part) => part.context),
  );
  const planned = [...made.earlier, made].flatMap(({ commands }) => commands);
  const outline = () => read.flatMap(({ parsed }) => outlineOf(parsed.query, planned));
  // Commands with errors have no node.
  const changes = () =>
    new PlanReferences(made).changes.length > 0 || read.some(({ parsed }) => hasChange(parsed.query));
  const { plain } = (read.at(-1) ?? first).parsed;
  refuseErrors(lists.slice(from).flat(), plain, { warnings, outline, changes }, context.queryContext);
  const { first: next } = shared.pending;
  return new PlannedQuery(read, { plan: made, warnings, outline, zone: context.zone, ...(next ? { next } : {}) });
}

type PlannedFacts = Pick<CheckedQuery, 'plan' | 'warnings' | 'outline' | 'zone' | 'next'>;

/** A class for its getter: one of an object literal keeps the query in memory until the next full collection. */
class PlannedQuery implements CheckedQuery {
  readonly plan: Plan;
  readonly references: PlanReferences;
  readonly phase: Plan;
  readonly warnings: readonly QueryWarning[];
  readonly outline: () => readonly CommandOutline[];
  readonly zone: string;
  readonly next?: Pending;
  readonly #read: ReadQuery;

  constructor(read: ReadQuery, { plan, warnings, outline, zone, next }: PlannedFacts) {
    this.plan = plan;
    this.references = new PlanReferences(plan);
    this.phase = plan.earlier.find(({ isEnded }) => !isEnded) ?? { ...plan, earlier: [] };
    this.warnings = warnings;
    this.outline = outline;
    this.zone = zone;
    if (next) this.next = next;
    this.#read = read;
  }

  /** Rarely used, and as expensive as reading the text. */
  get normalized(): string {
    return this.#read.map(({ parsed }) => normalizedText(parsed.query)).join(JOINT);
  }
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
export function checkCondition(text: string, queryContext: QueryContext): SlicedWork<CheckedCondition> {
  return checkSteps(text, {
    queryContext,
    only: CONDITION_COMMANDS,
    fields: CONDITION_FIELDS,
    planning: { refusedFunctions: VOLATILE, isMomentary: true },
  });
}

/** A pipeline that is stored under a name for `parse NAME`, over rows of the field `line`. */
export const checkParser = (text: string, queryContext: QueryContext): SlicedWork<CheckedCondition> =>
  checkSteps(text, { queryContext, only: PARSER_COMMANDS, fields: PARSER_FIELDS });

interface StepsOptions {
  readonly queryContext: QueryContext;
  readonly only: readonly string[];
  readonly fields: readonly string[];
  readonly planning?: Parameters<typeof contextFor>[2];
}

function* checkSteps(
  text: string,
  { queryContext, only, fields, planning }: StepsOptions,
): SlicedWork<CheckedCondition> {
  const errors = new QueryErrorList();
  const parsed = yield* parseText(text, errors, { kind: { only }, procedures: queryContext.procedures });
  const context = contextFor(parsed.query, queryContext, planning);
  const steps = yield* planSteps(parsed.query, context, fields);
  const warnings = warningsOf(parsed.warnings, [context]);
  refuseErrors([errors, context.errors], parsed.plain, { warnings }, queryContext);
  return { steps, warnings, normalized: normalizedText(parsed.query) };
}

/** Throws the first error in the text, with everything else that was found in it. */
function refuseErrors(
  lists: readonly QueryErrorList[],
  text: string,
  found: Pick<QueryError, 'warnings'> & Partial<Pick<QueryError, 'outline' | 'changes'>>,
  facts: HintFacts,
): void {
  const error = firstQueryError(...lists);
  if (!error) return;
  for (const one of [error, ...error.further]) addHints(one, text, facts);
  throw Object.assign(error, found);
}

function warningsOf(parsed: readonly QueryWarning[], contexts: readonly PlanContext[]): QueryWarning[] {
  const list = new QueryWarningList();
  for (const warning of [...parsed, ...contexts.flatMap(({ warnings }) => warnings.found)].sort(byPosition)) {
    list.add(warning);
  }
  return list.found.toSorted(byPosition);
}

const byPosition = (one: QueryWarning, other: QueryWarning) => one.begin - other.begin;
