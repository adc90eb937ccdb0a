// Reads and plans `AGG [as F], …` and `by names` of stats and related commands (7.3).

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { aggregateNamed, knownAggregates } from '#query/functions/index.ts';
import { takeArguments } from '#query/language/expressions/call-arguments.ts';
import { type ExpressionContext, takeExpression } from '#query/language/expressions/expression-parser.ts';
import { aggregateText, EXPRESSION_KEYWORDS, fieldText } from '#query/language/expressions/expression-text.ts';
import { operatorHere } from '#query/language/expressions/operators.ts';
import type { Keywords } from '#query/language/names.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { AggregateCall, Expression, Span } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { checkArguments } from '#query/values/typing.ts';

export function* takeAggregates(words: Words, keywords: Keywords): SlicedWork<AggregateCall[]> {
  const calls: AggregateCall[] = [];
  do {
    calls.push(yield* takeAggregate(words, keywords));
    yield;
  } while (words.take(','));
  return lastOfEach(calls, words);
}

/** Of two aggregates with one name the last counts, at the place of the first (6.2). */
function lastOfEach(calls: readonly AggregateCall[], words: Words): AggregateCall[] {
  const last = new Map<string, AggregateCall>();
  const repeated = new Map<string, AggregateCall>();
  for (const call of calls) {
    if (last.has(call.output)) repeated.set(call.output, call);
    last.set(call.output, call);
  }
  for (const { output: name, outputSpan } of repeated.values()) {
    words.warn({ code: 22002, begin: outputSpan.begin, end: outputSpan.end, values: { name }, suggestions: [] });
  }
  return [...last.values()];
}

function* takeAggregate(words: Words, keywords: Keywords): SlicedWork<AggregateCall> {
  const made = yield* takeCall(words, keywords);
  const operator = words.isDone ? undefined : operatorHere(words);
  if (operator) throw new QueryError(22001, { begin: made.begin, end: words.at + operator.length });
  if (!words.takeKeyword('as')) return { ...made, output: aggregateText(made, keywords), outputSpan: made };
  const name = words.takeName(keywords, () => words.tooFew({ term: 'field' }));
  return { ...made, output: name.text, outputSpan: { begin: made.begin, end: name.end } };
}

/** `count(*)` of SQL. */
const ALL_ROWS = /\([ \t\r\n]*\*[ \t\r\n]*\)/y;

type BareCall = Omit<AggregateCall, 'output' | 'outputSpan'>;

function* takeCall(words: Words, keywords: Keywords): SlicedWork<BareCall> {
  const begin = words.at;
  const name = words.ident();
  const called = name === undefined ? undefined : aggregateNamed(name);
  if (name === undefined || !called) throw yield* notAggregate(words, keywords);
  const nameEnd = begin + name.length;
  words.moveTo(nameEnd);
  const all = name === 'count' ? words.match(ALL_ROWS) : undefined;
  if (all) {
    const end = words.at + all.length;
    words.moveTo(end);
    return aggregateCall(called, [], { begin, end });
  }
  if (words.here === '(') {
    const { args, end } = yield* takeArguments(words, { keywords, aggregate: 90307 }, called);
    return aggregateCall(called, args, { begin, end });
  }
  if (name === 'count') return aggregateCall(called, [], { begin, end: nameEnd });
  throw new QueryError(22000, { begin, end: nameEnd });
}

function aggregateCall(called: AggregateDeclaration, args: readonly Expression[], span: Span): BareCall {
  checkArguments(called, args, span);
  const type = typeof called.result === 'function' ? called.result(args) : called.result;
  return { called, args, type, begin: span.begin, end: span.end };
}

/** 22001 for an operation on aggregates, 22000 for any other text. */
function* notAggregate(words: Words, keywords: Keywords): SlicedWork<QueryError> {
  if (words.isDone) return new QueryError(22000, words.endSpan);
  const token = words.token();
  const suggestions = suggestionsFor(token.text, knownAggregates());
  const missing = new QueryError(22000, token, {}, { suggestions });
  const context: ExpressionContext = { keywords, aggregate: 22001 };
  try {
    yield* takeExpression(words, context);
    return missing;
  } catch (failure) {
    return failure instanceof QueryError && failure.code === 22001 ? failure : missing;
  }
}

export const aggregatesText = (calls: readonly AggregateCall[], keywords: Keywords): string =>
  calls
    .map((call) => {
      const text = aggregateText(call, keywords);
      return call.output === text ? text : `${text} as ${fieldText(call.output, keywords)}`;
    })
    .join(', ');

/** Fields after a keyword such as `by`; 22003 if none follows. */
export const takeFieldsAfter = (words: Words, keywords: Keywords): SlicedWork<readonly Name[]> =>
  words.takeNames(keywords, () => new QueryError(22003, words.isDone ? words.endSpan : words.token()), 22002);

/** Rejects an output that is named like another column of the result (22004). */
export function requireFreeOutputs(taken: readonly string[], calls: readonly AggregateCall[]): void {
  const names = new Set(taken);
  const clash = calls.find(({ output }) => names.has(output));
  if (clash) throw new QueryError(22004, clash.outputSpan, { name: clash.output });
}

/** 90914 for each aggregate that is named like a field of `by`, whose column it takes (6.2). */
export function warnHiddenKeys(by: readonly Name[], calls: readonly AggregateCall[], words: Words): void {
  const names = new Set(by.map(({ text }) => text));
  for (const { output: name, outputSpan } of calls.filter(({ output }) => names.has(output))) {
    const { begin, end } = outputSpan;
    words.warn({ code: 90914, begin, end, values: { name }, suggestions: [] });
  }
}

/** Resolves the arguments; warns (90901) if an aggregate depends on an undefined order. */
export function* plannedAggregates(
  calls: readonly AggregateCall[],
  planning: CommandPlanning<unknown>,
  { hasWarnedOrder = false } = {},
): SlicedWork<AggregateCall[]> {
  const planned: AggregateCall[] = [];
  for (const call of calls) {
    if (call.called.ordered && !hasWarnedOrder) planning.warnUnordered(call);
    const args = yield* planning.arguments(call.called, call.args);
    planned.push({ ...call, ...aggregateCall(call.called, args, call) });
    yield;
  }
  return planned;
}

export const AGGREGATE_KEYWORDS: Keywords = [...EXPRESSION_KEYWORDS, 'as', 'by'];
