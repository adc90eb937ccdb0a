// The one shape of a subcommand: its name, its flags and what it does. Help, parsing and suggestions come from it.

import { unknownName } from '#config.ts';
import { Mistake } from '#kernel/mistake.ts';
import type { Speech } from './speech.ts';

export interface Flag {
  /** The value's place in usage texts; absent for a flag that takes none. */
  readonly hint?: string;
  readonly about: { readonly en: string; readonly ko: string };
}

export interface Command {
  /** The words after `vigil`. */
  readonly name: string;
  /** What follows the name in a usage line. */
  readonly takes?: string;
  readonly about: { readonly en: string; readonly ko: string };
  readonly flags: Readonly<Record<string, Flag>>;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

export interface Invocation {
  readonly flags: Readonly<Record<string, string>>;
  /** The words that are no flags. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly speech: Speech;
  /** Standard output, a line at a time. */
  print(line: string): void;
}

/** Splits arguments into flags and words. `--name value` and `--name=value` are the same; `--` ends the flags. */
export function parseArguments(command: Command, args: readonly string[]): Pick<Invocation, 'flags' | 'words'> {
  const flags: Record<string, string> = {};
  const words: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') return { flags, words: [...words, ...rest] };
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const [name = '', ...value] = arg.slice(2).split('=');
    flags[name] = flagValue(command, name, value.length > 0 ? value.join('=') : undefined, rest);
  }
  return { flags, words };
}

function flagValue(command: Command, name: string, given: string | undefined, rest: string[]): string {
  const flag = Object.hasOwn(command.flags, name) ? command.flags[name] : undefined;
  if (!flag) throw unknownName('unknown-flag', name, Object.keys(command.flags));
  if (flag.hint === undefined) return 'true';
  const value = given ?? rest.shift();
  if (value === undefined) throw new Mistake('value-missing', { name });
  return value;
}
