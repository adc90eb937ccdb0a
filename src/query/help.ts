// Help on the language, derived from the declarations of commands and functions: for REST, the command line and the shell.

import type { Locale } from '#contract/values.ts';
import { commandNamed, commands } from './commands/index.ts';
import { aggregates, functions } from './functions/index.ts';
import type { CommandKind } from './model/query-error.ts';
import { commandKind } from './outline.ts';
import type { CommandDeclaration, OptionFacts } from './planning/command.ts';

interface OptionHelp {
  readonly name: string;
  readonly type: string;
  readonly default: string | null;
  readonly values: readonly string[] | null;
  readonly summary: string;
}

export interface CommandHelp {
  readonly name: string;
  readonly kind: CommandKind;
  readonly syntax: string;
  readonly summary: string;
  readonly options: readonly OptionHelp[];
}

export interface FunctionHelp {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate';
  readonly syntax: string;
  readonly summary: string;
  /** `any` where it depends on the arguments. */
  readonly returns: string;
}

interface LanguageHelp {
  readonly commands: readonly CommandHelp[];
  readonly functions: readonly FunctionHelp[];
}

export const languageHelp = (locale: Locale): LanguageHelp => ({
  commands: commands.map((command) => commandHelp(command, locale)),
  functions: [...functions, ...aggregates].map((one) => functionHelp(one, locale)),
});

/** Help on the command and the functions of a name; nothing for an unknown one. */
export function helpOn(name: string, locale: Locale): { command?: CommandHelp; functions: readonly FunctionHelp[] } {
  const command = commandNamed(name);
  const found = [...functions, ...aggregates].filter((one) => one.name === name);
  return {
    ...(command ? { command: commandHelp(command, locale) } : {}),
    functions: found.map((one) => functionHelp(one, locale)),
  };
}

function commandHelp({ name, class: kind, syntax, summary, options }: CommandDeclaration, locale: Locale): CommandHelp {
  return {
    name,
    kind: commandKind(kind),
    syntax,
    summary: summary[locale],
    options: options.map((option) => optionHelp(option, locale)),
  };
}

function optionHelp({ name, summary, expected, words, initial }: OptionFacts, locale: Locale): OptionHelp {
  const isFlag = words?.join() === 't,f';
  const type = isFlag ? 'bool' : words ? 'choice' : typeOf(expected);
  return { name, type, default: initial ?? null, values: words ?? null, summary: summary[locale] };
}

/** By the notation of the values that a reader expects. */
const TYPES: Readonly<Record<string, string>> = {
  N: 'long',
  TEXT: 'string',
  'F,F': 'names',
  D: 'duration',
  SPAN: 'span',
  T: 'time',
  VALUE: 'any',
  GUID: 'guid',
};

const typeOf = (expected: string): string => TYPES[expected.split(' ')[0] ?? ''] ?? 'string';

function functionHelp(one: (typeof functions)[number] | (typeof aggregates)[number], locale: Locale): FunctionHelp {
  const kind = aggregates.some((aggregate) => aggregate === one) ? 'aggregate' : 'scalar';
  return {
    name: one.name,
    kind,
    syntax: one.syntax,
    summary: one.summary[locale],
    returns: typeof one.result === 'function' ? 'any' : one.result,
  };
}
