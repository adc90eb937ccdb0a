// The one shape of a subcommand: its name, its flags and what it does. Help, parsing and suggestions come from it.

import type { Translator } from './translator.ts';

export interface Flag {
  /** The value's place in usage texts; absent for a flag that takes none. */
  readonly hint?: string;
  readonly about: { readonly en: string; readonly ko: string };
  readonly isRequired?: true;
  /** The service's parameter that the value is sent as. */
  readonly sends?: string;
  /** Items separated by commas; an empty list is a value too. */
  readonly isList?: true;
  /** May be given any number of times; its values are found in `lists`. */
  readonly isRepeatable?: true;
  /** The variable that is read where the flag is not given. */
  readonly variable?: string;
  readonly initial?: string | undefined;
  /** Also read from vigil.toml. */
  readonly isSetting?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  /** The words after `vigil`. */
  readonly name: string;
  /** The words that follow, as a usage line shows them: `NAME`, `[NAME]` or `NAME...`. They are counted by it. */
  readonly takes?: string;
  readonly about: { readonly en: string; readonly ko: string };
  readonly flags: Flags;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

export interface RawValue {
  readonly flags: Readonly<Record<string, string>>;
  /** The values of the flags that may be given several times, in their order; none for one that was not given. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The words that are no flags. */
  readonly words: readonly string[];
}

export interface Invocation extends RawValue {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly translator: Translator;
  readonly streams: Streams;
  readonly isColoured: boolean;
  /** Standard output, a line at a time: what was asked for, and nothing else. */
  print(line: string): void;
  /** Standard error, a line at a time: remarks that must not end up in what is captured or piped on. */
  note(line: string): void;
}

export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  /** Of a terminal. */
  readonly columns?: number;
  readonly rows?: number;
};

/** Standard input; a terminal can be asked for every key at once. */
export type Keyboard = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

export interface Streams {
  readonly stdin?: Keyboard;
  readonly stdout: Stream;
  readonly stderr: Stream;
}
