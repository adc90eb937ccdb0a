// The commands of a text that change something, for the question before it runs.

import { commandsOf } from './command-texts.ts';
import type { CommandKinds } from './parts.ts';

export interface ChangingCommand {
  /** Of the command that changes something; it may stand in brackets. */
  readonly name: string;
  /** The command outside of brackets, as it stands in the text. */
  readonly text: string;
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

const WORD = /^[\p{L}\p{Nd}_-]+/u;

/** The sinks outside of brackets, and the command that the service has refused: at any depth, or the call of a procedure. */
export function changingCommands(text: string, kinds: CommandKinds, refused: Span): readonly ChangingCommand[] {
  const named = WORD.exec(text.slice(refused.begin, refused.end))?.[0] ?? '';
  return commandsOf(text).flatMap(({ name, begin, end }) => {
    const isRefused = begin <= refused.begin && refused.begin < end;
    if (!isRefused && kinds.get(name) !== 'sink') return [];
    return [{ name: isRefused ? named : name, text: text.slice(begin, end) }];
  });
}
