// The shape of a subcommand: its name, its flags and its action. Help, parsing and suggestions are derived from it.

import type { Translator } from './translator.ts';

export interface Flag {
  /** Stands for the value in usage texts; absent for a flag without a value. */
  readonly hint?: string;
  readonly about: { readonly en: string; readonly ko: string };
  readonly isRequired?: true;
  /** The parameter of the operation that the value is sent as. */
  readonly sends?: string;
  /** Items separated by commas; an empty list is a value too. */
  readonly isList?: true;
  /** May be repeated; its values are in `lists`. */
  readonly isRepeatable?: true;
  /** The environment variable that is read when the flag is absent. */
  readonly variable?: string;
  readonly initial?: string | undefined;
  /** Also read from vigil.toml. */
  readonly isSetting?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  /** The words after `vigil`. */
  readonly name: string;
  /** The positional arguments, as a usage line shows them: `NAME`, `[NAME]` or `NAME...`. Their number is checked against it. */
  readonly takes?: string;
  readonly about: { readonly en: string; readonly ko: string };
  readonly flags: Flags;
  /** Goes on when standard output cannot be written: a service on a full disk. */
  readonly outlivesOutput?: true;
  /** Resolves to the exit code. */
  run(invocation: Invocation): Promise<number>;
}

export interface ParsedArguments {
  readonly flags: Readonly<Record<string, string>>;
  /** The values of repeatable flags, in order; empty for an absent flag. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The positional arguments. */
  readonly words: readonly string[];
}

export interface Invocation extends ParsedArguments {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly translator: Translator;
  readonly streams: Streams;
  readonly isColoured: boolean;
  /** Writes a line of the result, and nothing else, to standard output. */
  print(line: string): void;
  /** Writes a line to standard error: remarks that must not be part of captured or piped output. */
  note(line: string): void;
}

export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  /** The size of a terminal. */
  readonly columns?: number;
  readonly rows?: number;
};

/** Standard input; a terminal has a raw mode that delivers every key at once. */
export type Keyboard = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

export interface Streams {
  readonly stdin?: Keyboard;
  readonly stdout: Stream;
  readonly stderr: Stream;
}
