import { takeArguments } from '#query/language/expressions/call-arguments.ts';
import { PLAIN_CONTEXT } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { procedureText, takeProcedureName } from '#query/language/procedure-names.ts';
import type { Name } from '#query/language/words.ts';
import { type Expression, isConstant, someWithin } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import type { KnownProcedure } from '#query/planning/query-context.ts';
import { plannedCall, requireRunnable, requireShallow } from './shared/procedure-calls.ts';

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
    requireRunnable(procedure, name);
    if (args.length !== procedure.parameters.length) {
      throw new QueryError(10301, name, { name: name.text, n: procedure.parameters.length, given: args.length });
    }
    requireShallow(name, planning);
    return yield* plannedCall({ procedure, name, args }, planning);
  },
});

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
