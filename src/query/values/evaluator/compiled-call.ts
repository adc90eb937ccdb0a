// Compiles the call of a function whose arguments are all evaluated first. Most calls of log queries have one argument
// that differs from row to row, a short text: they take their own way, without a list of arguments per row where the
// function offers one.

import type { Call } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { RunFacts, Steps } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import { converterTo } from '#query/values/conversions.ts';
import { bounded, checkElements } from '#query/values/sizes.ts';
import { charactersIn } from '#query/values/steps.ts';
import type { Compiled, Elements } from './evaluate.ts';

interface CallContext {
  readonly run: RunFacts;
  readonly steps: Steps;
}

/** `read` are the converted arguments. */
export function compiledCall<Row>(call: Call, read: readonly Compiled<Row>[], context: CallContext): Compiled<Row> {
  const { called } = call;
  const { local } = called;
  if (!local) throw new Error(`${called.name} has no local form`);
  const [first] = read;
  const { run } = context;
  const constants = first && constantsOf(call, run.zone);
  if (first && constants?.length === 0) return callOfOne(first, called, (value) => local([value], run), context);
  const prepared = constants && !constants.includes(null) ? called.localOf?.(constants, run) : undefined;
  if (first && prepared && constants) {
    const more = constants.reduce<number>((all, value) => all + charactersIn(value, called.reads), 0);
    return callOfOne(first, called, prepared, context, more);
  }
  return callOfSeveral(read, called, local, context);
}

/** The converted arguments after the first; undefined if one of them is no literal. */
function constantsOf({ called, args }: Call, zone: string): readonly Value[] | undefined {
  const others = args.slice(1);
  const values = others.flatMap((arg, index): Value[] => {
    const { type = 'any' } = called.args[Math.min(index + 1, called.args.length - 1)] ?? {};
    return arg.kind === 'literal' ? [converterTo(type)(arg.value, zone)] : [];
  });
  return values.length === others.length ? values : undefined;
}

function callOfOne<Row>(
  read: Compiled<Row>,
  called: FunctionDeclaration,
  local: (value: Value) => Value,
  { run, steps }: CallContext,
  more = 0,
): Compiled<Row> {
  const isStopped = called.nulls === 'null';
  const { baseSteps = 1, weight = 1, reads } = steps.isWeighed ? called : { reads: undefined };
  const finish = finishOf(called, { run, steps });
  return (row, elements) => {
    const value = read(row, elements);
    if (value === null && isStopped) return null;
    const characters = more + (typeof value === 'string' ? value.length : charactersIn(value, reads));
    steps.take(baseSteps + ((characters * weight) >> 6));
    return finish(local(value), elements);
  };
}

function callOfSeveral<Row>(
  read: readonly Compiled<Row>[],
  called: FunctionDeclaration,
  local: NonNullable<FunctionDeclaration['local']>,
  { run, steps }: CallContext,
): Compiled<Row> {
  const isStopped = called.nulls === 'null';
  const { baseSteps = 1, weight = 1, reads } = steps.isWeighed ? called : { reads: undefined };
  const finish = finishOf(called, { run, steps });
  return (row, elements) => {
    const values: Value[] = [];
    let characters = 0;
    for (const one of read) {
      const value = one(row, elements);
      if (value === null && isStopped) return null;
      characters += charactersIn(value, reads);
      values.push(value);
    }
    steps.take(baseSteps + Math.floor((characters * weight) / 64));
    return finish(local(values, run), elements);
  };
}

/** Functions whose elements count towards the limit of a row (6.4), in addition to foreach(). */
const LIST_MAKERS: ReadonlySet<string> = new Set(['split', 'zip']);

/** A shorter text takes no step. */
const SHORT_TEXT = 63;

/** Checks the size of a result and takes its steps; a number or a short text has none. */
function finishOf(called: FunctionDeclaration, { run, steps }: CallContext) {
  const makesLists = LIST_MAKERS.has(called.name);
  return (made: Value, elements: Elements | undefined): Value => {
    if (typeof made === 'string' ? made.length < SHORT_TEXT : typeof made !== 'object' || made === null) return made;
    bounded(made);
    steps.takeShallow(made);
    if (makesLists && Array.isArray(made)) checkElements(made.length, elements?.positions, run);
    return made;
  };
}
