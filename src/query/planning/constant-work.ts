// The work of the constants of a query. They are computed while it is planned, in the process that serves all clients, and
// a line of text can ask for more than there is time or memory for. Work is estimated in characters and elements, from above
// and before it is done.

import { fromTimeText } from '#contract/times.ts';
import { durationOf } from '#query/model/durations.ts';
import { type Call, childrenOf, type Expression } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { converterTo } from '#query/values/conversions.ts';
import { MAX_VALUE } from '#query/values/failures.ts';
import { regexOf } from '#query/values/regexes/regexes.ts';
import { ELEMENT, lengthOf, sizeOf } from '#query/values/sizes.ts';

const MAX_WORK = 2 ** 23;

type Known = ReadonlyMap<string, Value>;

/** Of one query with its subqueries and procedures. */
export class ConstantWork {
  #done = 0;

  /** Before an expression is computed; 90009 where it is too much. */
  begin(expression: Expression, constants: Known): void {
    if (expression.kind !== 'parameter') this.#add(estimate(expression, { constants, element: 1 }), expression);
  }

  /** The value stays in memory. */
  end(expression: Expression, value: Value): void {
    if (expression.kind === 'call') this.#add(sizeOf(value), expression);
  }

  /** The error of a value that is larger than any may be. */
  exceeded(at: Expression): QueryError {
    return new QueryError(90009, at, { what: { term: 'work' }, n: MAX_VALUE, max: MAX_WORK });
  }

  #add(work: number, at: Expression): void {
    this.#done += work;
    if (this.#done > MAX_WORK)
      throw new QueryError(90009, at, { what: { term: 'work' }, n: Math.min(this.#done, 1e15), max: MAX_WORK });
  }
}

/** A date that is computed by the calendar costs as much as so many characters. */
const DATE = 512;
const MAX_DATES = 100_000;

interface EstimateContext {
  readonly constants: Known;
  /** Size of the largest element of an enclosing foreach(). */
  readonly element: number;
}

function estimate(expression: Expression, context: EstimateContext): number {
  switch (expression.kind) {
    case 'literal':
      return lengthOf(expression.value);
    case 'field':
      return context.element;
    case 'parameter': {
      const value = context.constants.get(expression.name) ?? null;
      return value === null && expression.fallback ? estimate(expression.fallback, context) : lengthOf(value);
    }
    case 'call':
      return 1 + estimateCall(expression, context);
    default:
      return childrenOf(expression).reduce((sum, child) => sum + estimate(child, context), 1);
  }
}

/** Functions whose results grow with more than the sum of their arguments, or that read them more than once. */
const EXPENSIVE: Readonly<Record<string, (sizes: readonly number[], call: Call) => number>> = {
  replace: ([text = 0, , by = 0, mode], call) => text * (by + (mode === undefined ? 1 : programOf(call))),
  strjoin: ([separator = 0, list = 0]) => separator * list,
  match: ([text = 0], call) => text * Math.ceil(programOf(call) / 64),
  groups: ([text = 0], call) => text * programOf(call),
  lpad: (_, call) => padding(call),
  rpad: (_, call) => padding(call),
  daterange: (_, call) => datesOf(call) * DATE,
  zip: (sizes) => Math.max(...sizes) * sizes.length,
  // A place of three letters may be a thousand wide.
  format: ([format = 0]) => format * 250,
  tohex: ([bytes = 0]) => bytes,
  tobase64: ([bytes = 0]) => bytes,
  urlencode: ([text = 0]) => text * 8,
  string: ([value = 0]) => value,
};

function estimateCall(call: Call, context: EstimateContext): number {
  if (call.called.name === 'foreach') return estimateForeach(call, context);
  const sizes = call.args.map((arg) => estimate(arg, context));
  const plain = sizes.reduce((sum, size) => sum + size, 0);
  return plain + (EXPENSIVE[call.called.name]?.(sizes, call) ?? 0);
}

function estimateForeach({ args: [body, ...lists] }: Call, context: EstimateContext): number {
  const times = Math.max(1, ...lists.map((list) => estimate(list, context) / ELEMENT));
  const element = Math.max(context.element, ...lists.map((list) => largestElement(list, context)));
  return times * (body ? 1 + estimate(body, { ...context, element }) : 1);
}

function largestElement(list: Expression, context: EstimateContext): number {
  const value =
    list.kind === 'literal' ? list.value : list.kind === 'parameter' ? context.constants.get(list.name) : null;
  if (!Array.isArray(value)) return estimate(list, context);
  return value.reduce<number>((largest, element: Value) => Math.max(largest, lengthOf(element)), 1);
}

/** How many dates lie between two that the text says, at least a second apart; the most there may be where it does not. */
function datesOf({ args: [from, to, span] }: Call): number {
  if (isNoDate(from) || isNoDate(to) || (span?.kind === 'literal' && span.value === null)) return 0;
  const begin = momentIn(from);
  const end = momentIn(to);
  const step = span === undefined ? SECONDS.d : span.kind === 'literal' ? lengthOfSpan(String(span.value)) : undefined;
  if (begin === undefined || end === undefined || step === undefined) return MAX_DATES;
  return Math.min(MAX_DATES, Math.max(0, end - begin) / 1000 / step + 1);
}

/** A bound that is null, or that no date can be read of: there are no dates then. */
const isNoDate = (bound: Expression | undefined): boolean =>
  bound?.kind === 'literal' && converterTo('date')(bound.value, 'UTC') === null;

/** Of a date that is written as text; the zone is no matter for an estimate. */
function momentIn(expression: Expression | undefined): number | undefined {
  if (expression?.kind === 'call' && expression.called.name === 'date') return momentIn(expression.args[0]);
  if (expression?.kind !== 'literal') return undefined;
  if (expression.value instanceof Temporal.Instant) return expression.value.epochMilliseconds;
  return typeof expression.value === 'string' ? fromTimeText(expression.value, 'UTC') : undefined;
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, mon: 2_419_200, y: 31_536_000 } as const;

function lengthOfSpan(text: string): number | undefined {
  const duration = durationOf(text);
  return duration && duration.count > 0 ? duration.count * SECONDS[duration.unit] : undefined;
}

/** States of a pattern that is known by now. */
function programOf({ args: [, pattern] }: Call): number {
  const isKnown = pattern?.kind === 'literal' && typeof pattern.value === 'string';
  return isKnown ? regexOf(String(pattern.value)).programSize() : 1;
}

const MAX_PADDING = 10_000;

function padding({ args: [, length] }: Call): number {
  const letters = length?.kind === 'literal' ? Number(length.value) : MAX_PADDING;
  return Math.min(MAX_PADDING, Math.max(0, letters || 0));
}
