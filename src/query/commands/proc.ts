import { takeArguments } from '#query/language/expressions/call-arguments.ts';
import { PLAIN_CONTEXT } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { procedureText, takeProcedureName } from '#query/language/procedure-names.ts';
import type { Name } from '#query/language/words.ts';
import { type Expression, isConstant, type Span, someWithin } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { momentOf } from '#query/model/times.ts';
import type { ProcedureType, Value } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { KnownParameter, KnownProcedure } from '#query/planning/query-context.ts';
import { numberOfText } from '#query/values/conversions.ts';

const MAX_DEPTH = 16;

export const proc = command({
  name: 'proc',
  class: 'driver',
  syntax: 'proc NAME([EXPR, ...])',
  summary: {
    en: 'Runs a stored query with its parameters as constants and with the rights of its owner.',
    ko: '저장된 쿼리를 매개변수와 함께 소유자의 권한으로 실행합니다.',
  },
  rules: [
    'The caller needs the right to run it. Arguments are constant expressions, converted to the declared types; null is allowed.',
    'NAME is everything up to the parenthesis: letters, digits, `_`, `-` and `.` in any order. Any other name is a string: `proc "my proc"(1)`.',
    'Procedures may call procedures up to 16 deep.',
    'A procedure that the caller may not run is 10300 like a missing one; one whose owner was removed is 10303. Its sinks write with the rights of its owner, when the phase of the caller ends.',
  ],
  errors: [10300, 10301, 10302, 10303, 10304],
  examples: [
    {
      tables: { given: [{ n: 1 }, { n: 5 }] },
      procedures: { busy: { parameters: { min: 'long' }, query: 'table given | search n >= $("min")' } },
      query: 'proc busy(1 + 2) | limit 1',
      gives: [{ n: 5 }],
    },
    {
      tables: { given: [{ n: 1 }] },
      procedures: {
        '80_db-list.all': { parameters: { min: 'long' }, query: 'table given | search n >= $("min")' },
        'my proc': { parameters: {}, query: 'table given' },
      },
      query: 'proc 80_db-list.all(1) | union [ proc "my proc"() ]',
      gives: [{ n: 1 }, { n: 1 }],
    },
    {
      tables: { given: [{ n: 1 }] },
      query: 'proc my proc()',
      refused: { code: 90201, begin: 8, end: 12, hints: [91039] },
    },
  ],
  *read(words) {
    const name = takeProcedureName(words);
    const { args } = yield* takeArguments(words, PLAIN_CONTEXT);
    args.forEach(requireConstant);
    return { name, args };
  },
  text: ({ name, args }) => `${procedureText(name.text)}(${args.map((arg) => expressionText(arg)).join(', ')})`,
  *plan({ name, args }, planning) {
    const procedure = procedureNamed(name, planning);
    if (!procedure.mayRun) throw new QueryError(10303, name, { name: name.text });
    if (args.length !== procedure.parameters.length) {
      throw new QueryError(10301, name, { name: name.text, n: procedure.parameters.length, given: args.length });
    }
    const depth = planning.context.depth + 1;
    if (depth > MAX_DEPTH) throw new QueryError(10304, name, { n: depth, max: MAX_DEPTH });
    const resolved: Expression[] = [];
    for (const arg of args) resolved.push(yield* planning.constant(arg));
    const constants = new Map(
      procedure.parameters.map((parameter, index) => [parameter.name, resolved[index] ?? nothing(name)]),
    );
    const body = yield* bodyOf(procedure, { name, args: resolved }, planning);
    return { ...planning.planNode(body.result.rows), kind: 'proc', procedure: name.text, constants, body };
  },
});

interface Called {
  readonly name: Name;
  readonly args: readonly Expression[];
}

function requireConstant(arg: Expression): void {
  if (isConstant(arg)) return;
  if (someWithin(arg, ({ kind }) => kind === 'field')) throw new QueryError(90401, arg);
}

function procedureNamed(name: Name, { queryContext }: CommandPlanning<unknown>): KnownProcedure {
  const procedure = queryContext.procedures.get(name.text);
  if (procedure) return procedure;
  const suggestions = suggestionsFor(name.text, queryContext.procedures.keys());
  throw new QueryError(10300, name, { name: name.text }, { suggestions });
}

function bodyOf(procedure: KnownProcedure, { name, args }: Called, planning: CommandPlanning<unknown>) {
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

function nothing(span: Span): Expression {
  return { kind: 'literal', type: 'null', value: null, begin: span.begin, end: span.end };
}
