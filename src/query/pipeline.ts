// Plans pipelines: whole queries, subqueries, the bodies of procedures, and pipelines without a driver.

import { type SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import type { Column } from './model/columns.ts';
import { SERVICE_COLUMNS } from './model/columns.ts';
import type { Span } from './model/expression.ts';
import { firstQueryError, QueryError, QueryErrorList, QueryWarningList } from './model/query-error.ts';
import { MAX_COMMANDS, parseText } from './parse.ts';
import { commandsIn, refuseLimit, refuseSinks, zoneOf } from './pipeline-rules.ts';
import { hasRows, type Plan, type PlanNode, type Preamble } from './plan-nodes/plan.ts';
import type { LostCommand, ParsedCommand, ParsedQuery } from './planning/command.ts';
import { ConstantWork } from './planning/constant-work.ts';
import { Constants } from './planning/constants.ts';
import { EarlierWrites } from './planning/earlier-writes.ts';
import { PendingParts } from './planning/pending-parts.ts';
import { droppingDriver, isRead, type PipelineStep, phasesOf } from './planning/phases.ts';
import type { ElsewherePlan, PlanContext, SharedCounts } from './planning/plan-context.ts';
import { Planning } from './planning/planning.ts';
import { contextElsewhere, type QueryContext } from './planning/query-context.ts';

/** How a text is planned beside others. */
interface ContextOptions {
  /** How many calls of procedures enclose it. */
  readonly depth?: number;
  /** Of the enclosing query: ids of columns are unique in both. */
  readonly shared?: SharedCounts;
  readonly refusedFunctions?: ReadonlySet<string>;
  /** Rows are evaluated one by one as they come, each at a moment of its own (13). */
  readonly isMomentary?: boolean;
  /** In which its errors and warnings are listed; absent: lists of its own. */
  readonly lists?: Pick<PlanContext, 'warnings' | 'errors'>;
  /** Of a query of several texts: the zone that one of them names. */
  readonly zone?: string | undefined;
  /** The node that runs it, where it is another one: procedures that it calls are planned for that node, too. */
  readonly elsewhere?: string | undefined;
}

export function contextFor(query: ParsedQuery, queryContext: QueryContext, options: ContextOptions = {}): PlanContext {
  const { depth = 0, shared = newCounts(), refusedFunctions = new Set(), isMomentary = false } = options;
  const context: PlanContext = {
    queryContext,
    zone: options.zone ?? zoneOf(query) ?? queryContext.zone,
    warnings: options.lists?.warnings ?? new QueryWarningList(),
    errors: options.lists?.errors ?? new QueryErrorList(),
    unsetNames: new Set(),
    depth,
    parserDepth: 0,
    shared,
    refusedFunctions,
    isMomentary,
    planSubquery: (subquery, constants, use) => {
      if (use === 'setq') refuseSinks(subquery);
      return shared.pending.within(use, () => planPipeline(subquery, context, constants));
    },
    planElsewhere: (query, constants, node) => plannedElsewhere(query, constants, { node, context }),
    planSteps: (steps, planning) => plannedSteps(steps, planning),
    planParser: (text, span) => atCaller(span, () => plannedParser(text, context, span)),
    planProcedure: (text, owner, span) =>
      atCaller(span, function* () {
        const errors = new QueryErrorList();
        const { query: body } = yield* parseText(text, errors, { procedures: owner.procedures });
        countCommands(body, shared, span);
        if (shared.pending.isInSetq) refuseSinks(body);
        const { elsewhere } = options;
        const known = elsewhere === undefined ? owner : contextElsewhere(owner, elsewhere);
        const inner = contextFor(body, known, { depth: depth + 1, shared, elsewhere });
        const constants = givenConstants(known, inner.zone);
        const plan = yield* shared.pending.within('subquery', () => planPipeline(body, inner, constants));
        return unlessInvalid(plan, errors, inner.errors);
      }),
  };
  return context;
}

/**
 * Parts that must run before the rest is known are the other node's, and so are the files and hosts that it may reach: they are
 * counted and checked there.
 */
function* plannedElsewhere(
  query: ParsedQuery,
  constants: Constants,
  { node, context }: { readonly node: string; readonly context: PlanContext },
): SlicedWork<ElsewherePlan> {
  const { queryContext, shared, depth, zone } = context;
  const pending = new PendingParts();
  const counts = { ...shared, pending };
  const how = { depth, zone, lists: context, shared: counts, elsewhere: node };
  const inner = contextFor(query, contextElsewhere(queryContext, node), how);
  const use = shared.pending.isInSetq ? 'setq' : 'query';
  const plan = yield* pending.within(use, () => planPipeline(query, inner, constants));
  Object.assign(shared, { ...counts, pending: shared.pending });
  return { plan, isComplete: pending.first === undefined && plan.isComplete };
}

/** Of stored texts: sixteen levels of procedures or parsers that name two each would take too long to plan. */
function countCommands(query: ParsedQuery, shared: SharedCounts, span: Span): void {
  shared.commands += commandsIn(query);
  if (shared.commands <= MAX_COMMANDS) return;
  throw new QueryError(90009, span, { what: { term: 'commands' }, n: shared.commands, max: MAX_COMMANDS });
}

/** The constants of the caller, those that have no value yet among them. */
export function givenConstants({ constants, parameters = [], mayReceive }: QueryContext, zone: string): Constants {
  const known = Constants.of(constants, zone);
  for (const { name, type } of parameters) known.set(name, type);
  if (mayReceive) known.openUp(false);
  return known;
}

/** `commands`: of the texts that are planned, without the procedures that they call. */
export const newCounts = (commands = 0): SharedCounts => ({
  work: new ConstantWork(),
  slices: new SliceSteps(),
  pending: new PendingParts(),
  writes: new EarlierWrites(),
  columns: 0,
  unknownNames: 0,
  commands,
});

/** Throws the first error in the text, of the parser or of the planner. */
export function unlessInvalid<T>(made: T, ...lists: readonly QueryErrorList[]): T {
  const error = firstQueryError(...lists);
  if (error) throw error;
  return made;
}

/**
 * Positions in a stored text mean nothing to the reader of this one: its errors stand where it is named. Suggestions are left
 * out, because they may name objects that only the owner of the stored text can see.
 */
function* atCaller<T>(span: Span, plan: () => SlicedWork<T>): SlicedWork<T> {
  try {
    return yield* plan();
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw failure;
    throw new QueryError(failure.code, span, failure.values);
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

function* plannedParser(text: string, context: PlanContext, span: Span): SlicedWork<PlanNode> {
  const parserDepth = context.parserDepth + 1;
  if (parserDepth > MAX_PARSER_DEPTH) throw new QueryError(20603, span, { n: parserDepth, max: MAX_PARSER_DEPTH });
  const read = new QueryErrorList();
  const planned = new QueryErrorList();
  const { query } = yield* parseText(text, read, { kind: { only: PARSER_COMMANDS } });
  countCommands(query, context.shared, span);
  const inner: PlanContext = {
    ...context,
    parserDepth,
    warnings: new QueryWarningList(),
    errors: planned,
    planParser: (one, at) => atCaller(at, () => plannedParser(one, inner, at)),
  };
  const steps = yield* planSteps(query, inner, PARSER_FIELDS);
  return unlessInvalid(steps, read, planned);
}

/**
 * A pipeline without a driver (13) over records whose fields are not known. Fields that commands treat in a way of their
 * own are columns, all others are in the overflow.
 */
export function* planSteps(query: ParsedQuery, context: PlanContext, names: readonly string[]): SlicedWork<PlanNode> {
  const columns = names.map((name) => ({ id: newColumn(context), name, type: 'any' as const }));
  const given = givenRows(context, columns);
  const planning = new Planning(context, Constants.of(context.queryContext.constants, context.zone), given);
  yield* planAll(stepsOf(query), planning, refuseLimit);
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

const planPipeline = (query: ParsedQuery, context: PlanContext, constants: Constants): SlicedWork<Plan> =>
  planParts([{ query, context }], constants);

/** Commands of one pipeline that resolve their names in one context. */
export interface PipelinePart {
  readonly query: ParsedQuery;
  readonly context: PlanContext;
}

/**
 * Plans one pipeline whose commands come from one or more texts, each read and planned in a context of its own. Only the
 * first has drivers, so it alone is cut into phases.
 */
export function* planParts(parts: readonly [PipelinePart, ...PipelinePart[]], constants: Constants): SlicedWork<Plan> {
  const [{ query, context }, ...others] = parts;
  const planning = new Planning(context, constants);
  const phases = phasesOf(stepsOf(query));
  const earlier: Plan[] = [];
  for (const [index, steps] of phases.slice(0, -1).entries()) {
    warnDropped(phases[index + 1] ?? [], steps, context);
    earlier.push(yield* earlierPhase(steps, planning, query));
  }
  const nodes = yield* planAll(phases.at(-1) ?? [], planning);
  for (const other of others) {
    // A text without rows has an error; the text that continues it is planned all the same.
    planning.input ??= givenRows(planning.context, []);
    planning.continueIn(other.context);
    nodes.push(...(yield* planAll(stepsOf(other.query), planning)));
  }
  return planOf(nodes, planning, { earlier, span: query });
}

/** A phase that another one follows. */
function* earlierPhase(steps: readonly PipelineStep[], planning: Planning, span: Span): SlicedWork<Plan> {
  const { shared, queryContext } = planning.context;
  const begin = shared.writes.beginPhase();
  const { plan, isEnded } = yield* shared.pending.phase(queryContext, function* () {
    return planOf(yield* planAll(steps, planning), planning, { earlier: [], span });
  });
  shared.writes.endPhase(begin, isEnded);
  planning.beginPhase();
  return isEnded ? { ...plan, isEnded: true } : plan;
}

function planOf(
  commands: readonly (PlanNode | Preamble)[],
  planning: Planning,
  { earlier, span: { begin, end } }: { readonly earlier: readonly Plan[]; readonly span: Span },
): Plan {
  // Only a text with an error has no input, and then the plan is never used.
  const nothing: PlanNode = { kind: 'given', command: '', text: '', begin, end, rows: { columns: [] } };
  const { input: result = nothing, steps, constants } = planning;
  return { earlier, commands, result, constants: [...steps], isComplete: constants.isComplete };
}

/** 90911 where a driver drops rows that the text has not dropped itself. */
function warnDropped(phase: readonly PipelineStep[], before: readonly PipelineStep[], { warnings }: PlanContext): void {
  const driver = droppingDriver(before, phase);
  if (!driver) return;
  const values = { command: driver.declaration.name };
  warnings.add({ code: 90911, ...driver.nameSpan, values, suggestions: [] });
}

const stepsOf = ({ commands, lost }: ParsedQuery): readonly PipelineStep[] =>
  lost.length === 0 ? commands : [...commands, ...lost].sort((one, other) => one.begin - other.begin);

/** Continues past errors: names that a faulty command leaves unknown are no errors of later commands. */
function* planAll(
  steps: readonly PipelineStep[],
  planning: Planning,
  refuse: (command: ParsedCommand) => void = () => undefined,
): SlicedWork<(PlanNode | Preamble)[]> {
  const { errors, shared } = planning.context;
  const nodes: (PlanNode | Preamble)[] = [];
  for (const step of steps) {
    if (errors.isFull) break;
    if (!isRead(step)) {
      lose(step, planning);
      continue;
    }
    try {
      refuse(step);
      nodes.push(yield* planned(step, planning));
    } catch (failure) {
      // A phase that has ended may have removed the objects that it names.
      if (!(shared.pending.isReplay && failure instanceof QueryError)) errors.take(failure);
      lose(step, planning);
    }
    yield;
  }
  return nodes;
}

function* plannedSteps({ commands }: ParsedQuery, planning: Planning): SlicedWork<readonly PlanNode[]> {
  const nodes: PlanNode[] = [];
  for (const command of commands) nodes.push(withRows(yield* planned(command, planning)));
  return nodes;
}

/** A command in brackets always has rows before it. */
function withRows(node: PlanNode | Preamble): PlanNode {
  if (!hasRows(node)) throw new Error(`${node.command} stands before all rows`);
  return node;
}

function* planned(command: ParsedCommand, planning: Planning): SlicedWork<PlanNode | Preamble> {
  const node = yield* command.plan(planning);
  if (hasRows(node)) planning.input = node;
  return node;
}

/** After it there may be any field, any parameter where it might have set some, any lookup where it might have built one. */
function lose({ declaration }: LostCommand, planning: Planning): void {
  if (declaration?.mayBuildLookup ?? true) planning.mayHaveBuilt = true;
  if (!declaration || declaration.mayPrecedeDriver) planning.constants.openUp(false);
  if (!declaration?.mayPrecedeDriver) planning.input = givenRows(planning.context, []);
}
