// Parses the arguments of a subcommand by its declaration; an argument that does not fit is a UsageError.

import { UsageError } from '#kernel/usage-error.ts';
import { unknownName } from '#settings/read-config.ts';
import type { Command, Flag, Flags, ParsedArguments } from './command.ts';

export const asksForHelp = (args: readonly string[]): boolean =>
  beforeDashes(args).some((arg) => arg === '--help' || arg === '-h');

/** Splits arguments into flags and words. `--name value` and `--name=value` are the same; `--` ends the flags. */
export function parseArguments(command: Command, args: readonly string[]): ParsedArguments {
  const flags: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  const words = args.slice(beforeDashes(args).length + 1);
  const rest = [...beforeDashes(args)];
  const leading: string[] = [];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!/^-./.test(arg)) {
      leading.push(arg);
      continue;
    }
    const { name, value } = readFlag(command.flags, arg, rest);
    if (command.flags[name]?.isRepeatable) {
      lists[name] = [...(lists[name] ?? []), value];
      continue;
    }
    if (Object.hasOwn(flags, name)) throw new UsageError('flag-twice', { name });
    flags[name] = value;
  }
  const given = { flags, lists, words: [...leading, ...words] };
  requireAll(command, given);
  return given;
}

function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function readFlag(flags: Flags, arg: string, rest: string[]): { name: string; value: string } {
  if (!arg.startsWith('--')) throw new UsageError('one-dash', { arg });
  const equals = arg.indexOf('=');
  const name = equals === -1 ? arg.slice(2) : arg.slice(2, equals);
  const given = equals === -1 ? undefined : arg.slice(equals + 1);
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (!flag) throw unknownName('unknown-flag', name, Object.keys(flags));
  return { name, value: flagValue(name, flag, { given, rest }) };
}

function flagValue(name: string, flag: Flag, { given, rest }: { given: string | undefined; rest: string[] }): string {
  if (flag.hint === undefined) {
    if (given !== undefined) throw new UsageError('value-unwanted', { name });
    return 'true';
  }
  // An argument that looks like a flag is the next flag, so the value is missing; `--name=--value` passes such a value.
  const isNextFlag = rest[0]?.startsWith('--');
  const value = given ?? (isNextFlag ? undefined : rest.shift());
  // The service ignores an empty parameter, so the flag would have no effect.
  const isLost = value === '' && flag.sends !== undefined && !flag.isList;
  if (value === undefined || isLost) throw new UsageError('value-missing', { name });
  return value;
}

function requireAll(command: Command, { flags, words }: ParsedArguments): void {
  const { least, most, firstMissing } = wordsTaken(command, words.length);
  if (words.length > most) throw new UsageError('word-unwanted', { word: words[most] ?? '', command: command.name });
  if (words.length < least) throw new UsageError('word-missing', { word: firstMissing, command: command.name });
  const missing = Object.entries(command.flags).find(([name, flag]) => flag.isRequired && flags[name] === undefined);
  if (missing) throw new UsageError('flag-missing', { name: missing[0], command: command.name });
}

/** The number of positional arguments that a usage text allows; flags named in it do not count. */
function wordsTaken({ takes = '' }: Command, count: number): { least: number; most: number; firstMissing: string } {
  const words = takes.replace(/\[--[^\]]*\]|\[FLAGS\]/g, '').match(/\S+/g) ?? [];
  const needed = words.filter((word) => !word.startsWith('['));
  const isOpen = words.some((word) => /\.\.\.\]?$/.test(word));
  return { least: needed.length, most: isOpen ? Infinity : words.length, firstMissing: needed[count] ?? '' };
}
