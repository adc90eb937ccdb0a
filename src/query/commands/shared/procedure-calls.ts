// Runs a stored query: the plan of a call, whether it is written with `proc` or as a command of its own.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Name } from '#query/language/words.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { momentOf } from '#query/model/times.ts';
import type { ProcedureType, Value } from '#query/model/values.ts';
import type { ProcedureRun } from '#query/plan-nodes/proc.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { KnownParameter, KnownProcedure } from '#query/planning/query-context.ts';
import { numberOfText } from '#query/values/conversions.ts';

const MAX_DEPTH = 16;

interface Call {
  readonly procedure: KnownProcedure;
  /** In the order of the parameters. */
  readonly args: readonly Expression[];
  /** The procedure in the text. */
  readonly name: Name;
}

export function requireRunnable({ mayRun }: KnownProcedure, name: Name): void {
  if (!mayRun) throw new QueryError(10303, name, { name: name.text });
}

export function requireShallow(name: Name, { context }: CommandPlanning<unknown>): void {
  const depth = context.depth + 1;
  if (depth > MAX_DEPTH) throw new QueryError(10304, name, { n: depth, max: MAX_DEPTH });
}

export function* plannedCall(call: Call, planning: CommandPlanning<unknown>): SlicedWork<ProcedureRun> {
  const { procedure, name } = call;
  const args: Expression[] = [];
  for (const arg of call.args) args.push(yield* planning.constant(arg));
  const constants = new Map(
    procedure.parameters.map((parameter, index) => [parameter.name, args[index] ?? nothing(name)]),
  );
  const body = yield* bodyOf({ ...call, args }, planning);
  return { ...planning.planNode(body.result.rows), kind: 'proc', procedure: name.text, constants, body };
}

function bodyOf({ procedure, name, args }: Call, planning: CommandPlanning<unknown>) {
  const constants = new Map<string, Value>();
  const parameters: KnownParameter[] = [];
  for (const [index, parameter] of procedure.parameters.entries()) {
    const arg = args[index];
    // The value of a setq that has not run is not known yet.
    if (arg?.kind !== 'literal') parameters.push(parameter);
    else constants.set(parameter.name, converted(arg.value, parameter.type, { arg, name: parameter.name, planning }));
  }
  const { queryContext } = planning;
  const callers = [...(queryContext.callers ?? []), queryContext];
  const { isCheck } = queryContext;
  // The time range of a caller is that of its own text.
  const given = { constants, parameters, callers, range: undefined, ...(isCheck ? { isCheck } : {}) };
  return planning.context.planProcedure(procedure.text, { ...procedure.queryContext, ...given }, name);
}

interface ArgumentContext {
  readonly arg: Expression;
  readonly name: string;
  readonly planning: CommandPlanning<unknown>;
}

/** Converts by 3.2; a value that cannot be converted is rejected (10302), because null would hide the error. */
function converted(value: Value, type: ProcedureType, { arg, name, planning }: ArgumentContext): Value {
  if (value === null) return null;
  const made = CONVERSIONS[type](value, planning.context.zone);
  if (made === null) throw new QueryError(10302, arg, { name, type });
  return made;
}

const CONVERSIONS: Readonly<Record<ProcedureType, (value: Value, zone: string) => Value>> = {
  string: (value) => (typeof value === 'object' ? null : String(value)),
  bool: (value) => (typeof value === 'boolean' ? value : null),
  long(value) {
    const number = typeof value === 'string' ? numberOfText(value) : value;
    if (typeof number === 'number') return Math.abs(number) < 2 ** 63 ? BigInt(Math.trunc(number)) : null;
    return typeof number === 'bigint' ? number : null;
  },
  double(value) {
    const number = typeof value === 'string' ? numberOfText(value) : value;
    return typeof number === 'bigint' || typeof number === 'number' ? Number(number) : null;
  },
  date(value, zone) {
    if (value instanceof Temporal.Instant) return value;
    const moment = typeof value === 'string' ? momentOf(`"${value}"`, zone) : undefined;
    return moment === undefined ? null : Temporal.Instant.fromEpochMilliseconds(moment);
  },
};

export function nothing({ begin, end }: Span): Expression {
  return { kind: 'literal', type: 'null', value: null, begin, end };
}
