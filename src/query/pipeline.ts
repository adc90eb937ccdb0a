// Plans pipelines: whole queries, subqueries, the bodies of procedures, and pipelines without a driver.

import { SERVICE_COLUMNS } from './columns.ts';
import type { ParsedCommand, ParsedQuery } from './command.ts';
import { ConstantWork } from './constant-work.ts';
import { Constants } from './constants.ts';
import type { Span } from './expression.ts';
import { QueryMistake } from './mistake.ts';
import { optionSpan } from './option-readers.ts';
import { parseText } from './parse.ts';
import type { Plan, PlanNode, Preamble } from './plan.ts';
import { type PlanContext, Planning, type SharedCounts } from './planning.ts';
import type { Surroundings } from './surroundings.ts';

export type { Pending } from './planning.ts';

interface Around {
  /** How many procedures are around. */
  readonly depth?: number;
  /** With the query around, whose columns these must not be taken for. */
  readonly shared?: SharedCounts;
  readonly refusedFunctions?: ReadonlySet<string>;
  /** Rows are looked at one by one as they come, each at a moment of its own (13). */
  readonly isMomentary?: boolean;
}

export function contextFor(query: ParsedQuery, surroundings: Surroundings, around: Around = {}): PlanContext {
  const { depth = 0, shared = newCounts(), refusedFunctions = new Set(), isMomentary = false } = around;
  const context: PlanContext = {
    surroundings,
    zone: zoneOf(query) ?? surroundings.zone,
    warnings: [],
    depth,
    shared,
    refusedFunctions,
    isMomentary,
    planSubquery: (subquery, constants, place) => {
      if (place === 'setq') refuseSinks(subquery);
      return planPipeline(subquery, context, constants);
    },
    planParser: (text, span) => atCaller(span, () => plannedParser(text, context)),
    planProcedure: (text, owner, span) =>
      atCaller(span, () => {
        const parsed = parseText(text);
        if (parsed.mistake) throw parsed.mistake;
        const inner = contextFor(parsed.query, owner, { depth: depth + 1, shared });
        return planPipeline(parsed.query, inner, Constants.of(owner.constants, inner.zone));
      }),
  };
  return context;
}

const newCounts = (): SharedCounts => ({
  work: new ConstantWork(),
  columns: 0,
  setqs: 0,
  charts: 0,
  unknownNames: 0,
  pending: undefined,
});

/** Positions in a stored text mean nothing to the reader of this one: what is wrong there is wrong where it is named. */
function atCaller<T>(span: Span, plan: () => T): T {
  try {
    return plan();
  } catch (failure) {
    if (!(failure instanceof QueryMistake)) throw failure;
    throw new QueryMistake(failure.code, span, failure.values, failure.help);
  }
}

export const CONDITION_COMMANDS = ['search', 'matchnet', 'eval', 'rex', 'parsekv', 'parsejson', 'fields', 'rename'];
export const PARSER_COMMANDS = [...CONDITION_COMMANDS, 'parse', 'parsecsv'];

/** A parser sees a text and nothing else. */
export const PARSER_FIELDS = ['line'];
export const CONDITION_FIELDS = ['line', ...SERVICE_COLUMNS];

function plannedParser(text: string, context: PlanContext): PlanNode {
  const { query, mistake } = parseText(text, { only: PARSER_COMMANDS });
  if (mistake) throw mistake;
  return planSteps(query, { ...context, warnings: [] }, PARSER_FIELDS);
}

/**
 * A pipeline without a driver (13) over records of which nothing is known. Fields that commands treat in a way of their own
 * are columns, all others are in the overflow.
 */
export function planSteps(query: ParsedQuery, context: PlanContext, names: readonly string[]): PlanNode {
  const columns = names.map((name) => ({ id: newColumn(context), name, type: 'any' as const }));
  const rows = { columns, overflow: { id: newColumn(context), without: [] } };
  const given: PlanNode = { kind: 'given', command: '', text: '', begin: 0, end: 0, rows, preservesCount: true };
  const planning = new Planning(context, Constants.of(context.surroundings.constants, context.zone), given);
  for (const command of query.commands) {
    refuseLimit(command);
    planned(command, planning);
  }
  return planning.input ?? given;
}

const newColumn = ({ shared }: PlanContext) => {
  shared.columns += 1;
  return shared.columns;
};

/** Records come one by one, so there is nothing to stop after. */
function refuseLimit({ declaration, options }: ParsedCommand): void {
  const limit = declaration.name === 'search' ? options.find(({ name }) => name === 'limit') : undefined;
  if (limit) throw new QueryMistake(92002, optionSpan(limit), { name: 'limit' });
}

/** `set _timezone` holds for the whole query with its subqueries, wherever it stands. */
function zoneOf({ commands }: ParsedQuery): string | undefined {
  for (const command of commands) {
    const zone = command.zone ?? command.subqueries.map(zoneOf).find((found) => found !== undefined);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Not where a query only looks something up (11). */
function refuseSinks({ commands }: ParsedQuery): void {
  for (const { declaration, nameSpan, subqueries } of commands) {
    if (declaration.class === 'sink') throw new QueryMistake(92002, nameSpan, { name: declaration.name });
    subqueries.forEach(refuseSinks);
  }
}

export function planPipeline({ commands, begin, end }: ParsedQuery, context: PlanContext, constants: Constants): Plan {
  const planning = new Planning(context, constants);
  const nodes: (PlanNode | Preamble)[] = [];
  for (const command of commands) nodes.push(planned(command, planning));
  const rows = { columns: [] };
  // Only a text with a mistake has no input, and then the plan around it is never looked at.
  const nothing: PlanNode = { kind: 'given', command: '', text: '', begin, end, rows, preservesCount: true };
  return {
    commands: nodes,
    result: planning.input ?? nothing,
    constants: planning.steps,
    isComplete: constants.isComplete,
  };
}

function planned(command: ParsedCommand, planning: Planning): PlanNode | Preamble {
  const node = command.plan(planning);
  if (node.kind !== 'preamble') planning.input = node;
  return node;
}
