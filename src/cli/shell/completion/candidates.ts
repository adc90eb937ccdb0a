// The completions at a position of a query, from the declarations of the language and the names of the service.

import type { OwnCommand } from '#cli/kit/help/own-commands.ts';
import { commands } from '#query/commands/index.ts';
import { SYSTEM_OBJECTS } from '#query/commands/shared/system-objects.ts';
import { aggregates, functions } from '#query/functions/index.ts';
import { operandText } from '#query/language/names.ts';
import { quoted } from '#query/language/strings.ts';
import type { CommandDeclaration } from '#query/planning/command.ts';
import type { CompletionPosition, Want } from './completion-position.ts';

/** Names from the service, with the rights of the key. */
export interface Names {
  tables(): Promise<readonly string[]>;
  /** The columns of a pipeline. */
  fields(pipeline: string): Promise<readonly string[]>;
  /** Procedures that are commands (8.5). */
  commands(): Promise<readonly OwnCommand[]>;
}

/** Each with the character that follows it, in the order of display. */
export async function candidatesFor({ wants, word }: CompletionPosition, names: Names): Promise<string[]> {
  const all = await wanted(wants, names);
  return [...new Set(all)].filter((candidate) => candidate.startsWith(word));
}

async function wanted(wants: Want, names: Names): Promise<readonly string[]> {
  if (wants.kind === 'command')
    return [...commandsAt(wants.isFirst), ...(wants.isFirst ? await ownCommands(names) : [])];
  if (wants.kind === 'own-command') {
    const command = (await names.commands()).find(({ name }) => name === wants.name);
    return (command?.parameters ?? []).map(({ key }) => `${key}=`);
  }
  if (wants.kind === 'value') {
    const words = wants.command.optionWords[wants.option] ?? [];
    // An option of this name takes a field in every command.
    const fields = wants.option === 'field' ? await fieldsBefore(wants.before, names) : [];
    return [...words, ...fields].map((value) => `${value} `);
  }
  return await objectsOf(wants, names);
}

const commandsAt = (isFirst: boolean): string[] =>
  commands
    .filter(({ class: kind, mayBegin, mayPrecedeDriver }) =>
      isFirst ? kind === 'driver' || mayBegin || mayPrecedeDriver : kind !== 'driver',
    )
    .map(({ name, syntax }) => (syntax === name ? name : `${name} `));

const ownCommands = async (names: Names): Promise<string[]> =>
  (await names.commands()).map(({ name, parameters }) => (parameters.length === 0 ? name : `${name} `));

async function objectsOf(wants: Extract<Want, { kind: 'object' }>, names: Names): Promise<string[]> {
  const { command, isInParentheses } = wants;
  const takes = takenBy(command);
  const tables = takes.tables ? await names.tables() : [];
  const fields = takes.fields || isInParentheses ? await fieldsBefore(wants.before, names) : [];
  const called = [
    ...(takes.aggregates && !isInParentheses ? aggregates.map(({ name }) => name) : []),
    ...(takes.functions || isInParentheses ? functions.flatMap(namesOf) : []),
  ];
  return [
    ...(wants.mayBeOption ? optionsOf(command).map((option) => `${option}=`) : []),
    ...tables,
    ...(takes.systemObjects ? Object.keys(SYSTEM_OBJECTS) : []),
    ...fields,
    ...(isInParentheses ? [] : takes.keywords.map((keyword) => `${keyword} `)),
    ...called.map((name) => `${name}(`),
  ];
}

const namesOf = ({ name, aliases = [] }: { name: string; aliases?: readonly string[] }) => [name, ...aliases];

async function fieldsBefore(pipeline: string, names: Names): Promise<string[]> {
  if (pipeline.trim() === '') return [];
  return (await names.fields(pipeline)).map((name) => operandText(name, [], quoted));
}

/** The options in its documented syntax; others are reserved. */
export const optionsOf = ({ optionWords, syntax }: CommandDeclaration): string[] =>
  Object.keys(optionWords).filter((option) => syntax.includes(`${option}=`));

interface Taken {
  readonly tables: boolean;
  readonly fields: boolean;
  readonly functions: boolean;
  readonly aggregates: boolean;
  readonly systemObjects: boolean;
  readonly keywords: readonly string[];
}

/** Read from the syntax line, whose capitals are placeholders. */
export function takenBy({ name, syntax }: CommandDeclaration): Taken {
  const objects = syntax.replace(/\[?\b\w+=(?:"[^"]*"|[^\s\]]*)\]?/g, '').replaceAll(` or ${name} `, ' ');
  const has = (notation: RegExp) => notation.test(objects);
  return {
    tables: has(/\bNAME\[\?\]|\bTABLE\b/),
    fields: has(/\bnames\b|\bkeys\b|\bF\b|\bEXPR\b|\bTERMS\b/),
    functions: has(/\bEXPR\b/),
    aggregates: has(/\bAGG\b/),
    systemObjects: has(/\bOBJECT\b/),
    keywords: (objects.replace(/"[^"]*"/g, '').match(/\b[a-z]+\b/g) ?? []).filter(
      (word) => word !== name && word !== 'names' && word !== 'keys',
    ),
  };
}
