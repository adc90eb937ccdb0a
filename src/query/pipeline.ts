// Plans pipelines: whole queries, subqueries, the bodies of procedures, and pipelines without a driver.

import { optionSpan } from './language/option-readers.ts';
import type { Column } from './model/columns.ts';
import { SERVICE_COLUMNS } from './model/columns.ts';
import type { Span } from './model/expression.ts';
import { firstQueryError, QueryError, QueryErrorList } from './model/query-error.ts';
import { hasRows, type Plan, type PlanNode, type Preamble } from './nodes/plan.ts';
import { MAX_COMMANDS, parseText } from './parse.ts';
import type { LostCommand, ParsedCommand, ParsedQuery } from './planning/command.ts';
import { ConstantWork } from './planning/constant-work.ts';
import { Constants } from './planning/constants.ts';
import type { PlanContext, SharedCounts } from './planning/plan-context.ts';
import { Planning } from './planning/planning.ts';
import type { QueryContext } from './planning/query-context.ts';

export type { Pending } from './planning/plan-context.ts';

/** How a text is planned beside others. */
interface ContextOptions {
  /** How many calls of procedures enclose it. */
  readonly depth?: number;
  /** Of the enclosing query: ids of columns are unique in both. */
  readonly shared?: SharedCounts;
  readonly refusedFunctions?: ReadonlySet<string>;
  /** Rows are evaluated one by one as they come, each at a moment of its own (13). */
  readonly isMomentary?: boolean;
  /** Of a query of several texts: the zone that one of them names. */
  readonly zone?: string | undefined;
}

export function contextFor(query: ParsedQuery, queryContext: QueryContext, options: ContextOptions = {}): PlanContext {
  const { depth = 0, shared = newCounts(), refusedFunctions = new Set(), isMomentary = false } = options;
  const context: PlanContext = {
    queryContext,
    zone: options.zone ?? zoneOf(query) ?? queryContext.zone,
    warnings: [],
    errors: new QueryErrorList(),
    depth,
    parserDepth: 0,
    shared,
    refusedFunctions,
    isMomentary,
    planSubquery: (subquery, constants, use) => {
      if (use === 'setq') refuseSinks(subquery);
      return planPipeline(subquery, context, constants);
    },
    planSteps: ({ commands }, planning) => commands.map((command) => withRows(planned(command, planning))),
    planParser: (text, span) => atCaller(span, () => plannedParser(text, context, span)),
    planProcedure: (text, owner, span) =>
      atCaller(span, () => {
        const errors = new QueryErrorList();
        const { query: body } = parseText(text, errors);
        countCommands(body, shared, span);
        const inner = contextFor(body, owner, { depth: depth + 1, shared });
        const plan = planPipeline(body, inner, Constants.of(owner.constants, inner.zone));
        return unlessInvalid(plan, errors, inner.errors);
      }),
  };
  return context;
}

/** Of stored texts: sixteen levels of procedures or parsers that name two each would take too long to plan. */
function countCommands({ commands }: ParsedQuery, shared: SharedCounts, span: Span): void {
  shared.commands += commands.length;
  if (shared.commands <= MAX_COMMANDS) return;
  throw new QueryError(90009, span, { what: { term: 'commands' }, n: shared.commands, max: MAX_COMMANDS });
}

export const newCounts = (): SharedCounts => ({
  work: new ConstantWork(),
  columns: 0,
  setqs: 0,
  charts: 0,
  unknownNames: 0,
  commands: 0,
  pending: undefined,
});

/** Throws the first error in the text, of the parser or of the planner. */
export function unlessInvalid<T>(made: T, ...lists: readonly QueryErrorList[]): T {
  const error = firstQueryError(...lists);
  if (error) throw error;
  return made;
}

/** Positions in a stored text mean nothing to the reader of this one: its errors stand where it is named. */
function atCaller<T>(span: Span, plan: () => T): T {
  try {
    return plan();
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw failure;
    throw new QueryError(failure.code, span, failure.values, failure.help);
  }
}

export const CONDITION_COMMANDS = ['search', 'matchnet', 'eval', 'rex', 'parsekv', 'parsejson', 'fields', 'rename'];
export const PARSER_COMMANDS = [
  ...CONDITION_COMMANDS,
  ...['parse', 'parsecsv', 'parsexml', 'fillnull', 'bin', 'explode'],
];

/** Of parsers in one another. */
const MAX_PARSER_DEPTH = 16;

/** A parser sees a text and nothing else. */
export const PARSER_FIELDS = ['line'];
export const CONDITION_FIELDS = ['line', ...SERVICE_COLUMNS];

function plannedParser(text: string, context: PlanContext, span: Span): PlanNode {
  const parserDepth = context.parserDepth + 1;
  if (parserDepth > MAX_PARSER_DEPTH) throw new QueryError(20603, span, { n: parserDepth, max: MAX_PARSER_DEPTH });
  const [read, planned] = [new QueryErrorList(), new QueryErrorList()];
  const { query } = parseText(text, read, { only: PARSER_COMMANDS });
  countCommands(query, context.shared, span);
  const inner: PlanContext = {
    ...context,
    parserDepth,
    warnings: [],
    errors: planned,
    planParser: (one, at) => atCaller(at, () => plannedParser(one, inner, at)),
  };
  const steps = planSteps(query, inner, PARSER_FIELDS);
  return unlessInvalid(steps, read, planned);
}

/**
 * A pipeline without a driver (13) over records whose fields are not known. Fields that commands treat in a way of their
 * own are columns, all others are in the overflow.
 */
export function planSteps(query: ParsedQuery, context: PlanContext, names: readonly string[]): PlanNode {
  const columns = names.map((name) => ({ id: newColumn(context), name, type: 'any' as const }));
  const given = givenRows(context, columns);
  const planning = new Planning(context, Constants.of(context.queryContext.constants, context.zone), given);
  planAll(query, planning, refuseLimit);
  return planning.input ?? given;
}

/** Rows that may have any fields. */
function givenRows(context: PlanContext, columns: readonly Column[]): PlanNode {
  const rows = { columns, overflow: { id: newColumn(context), without: [] } };
  return { kind: 'given', command: '', text: '', begin: 0, end: 0, rows };
}

const newColumn = ({ shared }: PlanContext) => {
  shared.columns += 1;
  return shared.columns;
};

/** Records come one by one, so there is nothing to stop after. */
function refuseLimit({ declaration, options }: ParsedCommand): void {
  const limit = declaration.name === 'search' ? options.find(({ name }) => name === 'limit') : undefined;
  if (limit) throw new QueryError(92002, optionSpan(limit), { name: 'limit' });
}

/** `set _timezone` holds for the whole query with its subqueries, wherever it stands. */
export function zoneOf({ commands }: ParsedQuery): string | undefined {
  for (const command of commands) {
    const zone = command.zone ?? command.subqueries.map(zoneOf).find((found) => found !== undefined);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Not where a query only looks something up (11). */
export function refuseSinks({ commands }: ParsedQuery): void {
  for (const { declaration, nameSpan, subqueries } of commands) {
    if (declaration.class === 'sink') throw new QueryError(92002, nameSpan, { name: declaration.name });
    subqueries.forEach(refuseSinks);
  }
}

const planPipeline = (query: ParsedQuery, context: PlanContext, constants: Constants): Plan =>
  planParts([{ query, context }], constants);

/** Commands of one pipeline that resolve their names in one context. */
export interface PipelinePart {
  readonly query: ParsedQuery;
  readonly context: PlanContext;
}

/** Plans one pipeline whose commands come from one or more texts, each read and planned in a context of its own. */
export function planParts(parts: readonly [PipelinePart, ...PipelinePart[]], constants: Constants): Plan {
  const planning = new Planning(parts[0].context, constants);
  const nodes = parts.flatMap(({ query, context }) => {
    planning.continueIn(context);
    const planned = planAll(query, planning);
    // A text without rows has an error; the text that continues it is planned all the same.
    if (parts.length > 1) planning.input ??= givenRows(context, []);
    return planned;
  });
  const { begin, end } = parts[0].query;
  const rows = { columns: [] };
  // Only a text with an error has no input, and then the plan is never used.
  const nothing: PlanNode = { kind: 'given', command: '', text: '', begin, end, rows };
  return {
    commands: nodes,
    result: planning.input ?? nothing,
    constants: planning.steps,
    isComplete: constants.isComplete,
  };
}

/** Continues past errors: names that a faulty command leaves unknown are no errors of later commands. */
function planAll(
  { commands, lost }: ParsedQuery,
  planning: Planning,
  refuse: (command: ParsedCommand) => void = () => undefined,
): (PlanNode | Preamble)[] {
  const { errors } = planning.context;
  const nodes: (PlanNode | Preamble)[] = [];
  const steps = lost.length === 0 ? commands : [...commands, ...lost].sort((one, other) => one.begin - other.begin);
  for (const step of steps) {
    if (errors.isFull) break;
    if (!('plan' in step)) {
      lose(step, planning);
      continue;
    }
    try {
      refuse(step);
      nodes.push(planned(step, planning));
    } catch (failure) {
      errors.take(failure);
      lose(step, planning);
    }
  }
  return nodes;
}

/** A command in brackets always has rows before it. */
function withRows(node: PlanNode | Preamble): PlanNode {
  if (!hasRows(node)) throw new Error(`${node.command} stands before all rows`);
  return node;
}

function planned(command: ParsedCommand, planning: Planning): PlanNode | Preamble {
  const node = command.plan(planning);
  if (hasRows(node)) planning.input = node;
  return node;
}

/** After it there may be any field, any parameter where it might have set some, any lookup where it might have built one. */
function lose({ declaration }: LostCommand, planning: Planning): void {
  if (declaration?.mayBuildLookup ?? true) planning.mayHaveBuilt = true;
  if (!declaration || declaration.mayPrecedeDriver) planning.constants.openUp(false);
  if (!declaration?.mayPrecedeDriver) planning.input = givenRows(planning.context, []);
}
