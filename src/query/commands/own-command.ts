// Commands of one's own (8.5): a procedure that is marked as a command runs by its name, with the words behind it as arguments.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { about, anyText } from '#query/language/option-readers.ts';
import {
  type OptionReaders,
  optionsText,
  type RawOption,
  takeOptions,
  takeParameterOption,
} from '#query/language/options.ts';
import { unescaped } from '#query/language/strings.ts';
import type { Words } from '#query/language/words.ts';
import type { Expression } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ProcedureType, Value } from '#query/model/values.ts';
import { type CommandDeclaration, command } from '#query/planning/command.ts';
import type { KnownProcedure } from '#query/planning/query-context.ts';
import { nothing, plannedCall, requireRunnable, requireShallow } from './shared/procedure-calls.ts';

type Argument = RawOption<Value>;
type ArgumentsByKey = Readonly<Record<string, Argument | undefined>>;

interface Arguments {
  readonly byKey: ArgumentsByKey;
  readonly others: readonly Argument[];
}

/** The command that the name stands for, among the procedures of an account. */
export function ownCommandNamed(
  name: string,
  procedures: ReadonlyMap<string, KnownProcedure>,
): CommandDeclaration | undefined {
  const procedure = procedures.get(name.normalize());
  return procedure?.isCommand ? ownCommand(procedure) : undefined;
}

function ownCommand(procedure: KnownProcedure): CommandDeclaration {
  const { name, parameters, description = '' } = procedure;
  const readers = readersOf(procedure);
  return command({
    name,
    class: 'driver',
    syntax: ownSyntax(procedure),
    summary: { en: description, ko: description },
    errors: [10301, 10302, 10303, 10304],
    examples: [],
    // Arguments with keys may stand anywhere among the others.
    hasAssignments: true,
    *read(words, { nameSpan }) {
      const given = yield* takeArguments(words, name, readers);
      const open = parameters.filter((parameter) => !Object.hasOwn(given.byKey, parameter.name));
      const surplus = given.others[open.length];
      if (surplus) {
        const count = Object.keys(given.byKey).length + given.others.length;
        throw new QueryError(10301, surplus.at, { name, n: parameters.length, given: count });
      }
      return { ...given, called: { ...nameSpan, text: name } };
    },
    text: ({ byKey, others }) => [...optionsText(byKey, readers), ...others.map(argumentText)].join(' '),
    *plan({ byKey, others, called }, planning) {
      requireRunnable(procedure, called);
      requireShallow(called, planning);
      const rest = others.values();
      const args = parameters.map((parameter) => {
        const written = byKey[parameter.name] ?? rest.next().value;
        return written ? expressionOf(written, parameter.type) : nothing(called);
      });
      return yield* plannedCall({ procedure, name: called, args }, planning);
    },
  });
}

/** In the notation of the reference. */
export const ownSyntax = ({ name, parameters }: Pick<KnownProcedure, 'name' | 'parameters'>): string =>
  [name, ...parameters.map((parameter) => `[${parameter.name}]`)].join(' ');

const readersOf = ({ parameters }: KnownProcedure): OptionReaders =>
  Object.fromEntries(
    parameters.map(({ name, description = '' }) => [name, about(anyText, { en: description, ko: description })]),
  );

function* takeArguments(words: Words, command: string, readers: OptionReaders): SlicedWork<Arguments> {
  const others: Argument[] = [];
  let byKey: ArgumentsByKey = {};
  for (;;) {
    while (words.take(',')) yield;
    byKey = yield* takeOptions(words, readers, command, byKey);
    if (words.isDone) return { byKey, others };
    if (words.here !== ',') others.push(yield* takeArgument(words));
  }
}

function* takeArgument(words: Words): SlicedWork<Argument> {
  if (words.startsWith('$(')) return yield* takeParameterOption(words, '');
  const begin = words.at;
  const token = words.takeString();
  if (token) return argumentOf(unescaped(token).text, { isQuoted: true, begin, end: token.end });
  const word = words.match(WORD);
  const end = begin + (word?.length ?? 0);
  if (!word || (end < words.end && !ENDS.test(words.text.charAt(end)))) {
    words.moveTo(end);
    throw words.unexpected();
  }
  words.moveTo(end);
  return argumentOf(word.normalize(), { isQuoted: false, begin, end });
}

const WORD = /[^ \t\r\n,"()[\]|]+/y;
const ENDS = /[ \t\r\n,]/;

const argumentOf = (
  text: string,
  at: { readonly isQuoted: boolean; readonly begin: number; readonly end: number },
): Argument => ({ value: text, at: { name: '', text, ...at } });

/** A comma would end a bare word. */
const argumentText = (given: Argument): string => {
  if ('parameter' in given) return expressionText(given.parameter);
  const text = anyText.write(given.value);
  return text.includes(',') && !text.startsWith('"') ? `"${text}"` : text;
};

function expressionOf(given: Argument, type: ProcedureType): Expression {
  if ('parameter' in given) return given.parameter;
  const { begin, end, text } = given.at;
  const truth = type === 'bool' ? TRUTHS.get(text) : undefined;
  if (truth !== undefined) return { kind: 'literal', type: 'bool', value: truth, begin, end };
  return { kind: 'literal', type: 'string', value: given.value, begin, end };
}

/** As values of options are written. */
const TRUTHS = new Map([
  ['t', true],
  ['true', true],
  ['f', false],
  ['false', false],
]);
