// The request of a command line: run a command, or show help on a command, on a family such as `vigil user`, or on all.

import { nearMiss } from '#kernel/text/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { commands, type Listed } from './commands.ts';
import { asksForHelp } from './kit/arguments.ts';
import { WRONG_USE } from './kit/failures/failure.ts';

type Request =
  | { readonly isVersion: true }
  | { readonly command: Listed; readonly args: readonly string[] }
  | { readonly helpOn: readonly Listed[]; readonly exitCode: number }
  /** A word of the query language. */
  | { readonly languageWord: string };

export function requestOf(args: readonly string[]): Request {
  const [first, ...others] = args;
  if (first === undefined) return { helpOn: commands, exitCode: WRONG_USE };
  if (first === '--version' && others.length === 0) return { isVersion: true };
  if (first === 'help' && others.length > 0) return helpRequest(others);
  if (first === 'help' || asksForHelp([first])) return { helpOn: commands, exitCode: 0 };
  const found = longestMatch(args);
  if (found) return asksForHelp(found.args) ? { helpOn: [found.command], exitCode: 0 } : found;
  const family = familyOf(args);
  if (family.length > 0) return { helpOn: family, exitCode: asksForHelp(args) ? 0 : WRONG_USE };
  throw unknownCommand(args);
}

/** A word that is no command of the command line may be one of the query language. */
function helpRequest(words: readonly string[]): Request {
  const [word = ''] = words;
  const isOther = words.length === 1 && !word.startsWith('-') && !longestMatch(words) && familyOf(words).length === 0;
  return isOther ? { languageWord: word } : requestOf([...words, '--help']);
}

/** The command with the longest name that the arguments begin with. */
function longestMatch(args: readonly string[]): { command: Listed; args: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ');
    const command = commands.find((candidate) => candidate.name === name);
    if (command) return { command, args: args.slice(length) };
  }
  return undefined;
}

/** `vigil user` alone requests help on every command that begins with `user`. */
function familyOf(args: readonly string[]): readonly Listed[] {
  const [name, ...others] = wordsIn(args);
  return others.length > 0 ? [] : commands.filter((command) => command.name.startsWith(`${name} `));
}

export function unknownCommand(args: readonly string[]): UsageError {
  const names = commands.map((command) => command.name);
  const [first = '', second] = wordsIn(args);
  const both = second === undefined ? first : `${first} ${second}`;
  const isFamily = names.some((name) => name.startsWith(`${first} `));
  const suggestion = nearMiss(both, names) ?? nearMiss(first, names);
  const name = (suggestion?.includes(' ') || isFamily ? both : first) || args.join(' ');
  return new UsageError(suggestion ? 'unknown-command-near' : 'unknown-command', {
    name,
    suggestion: suggestion ?? '',
  });
}

const wordsIn = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'));
