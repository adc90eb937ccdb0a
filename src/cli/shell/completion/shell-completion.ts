// Completions of the shell: its own commands and their arguments, or parts of a query. The language is loaded with the first
// Tab.

import { type Shell, shellCommands } from '#cli/shell/shell-commands.ts';
import { isShellCommand } from '#cli/shell/statements.ts';
import type { Edited } from '#cli/shell/terminal/editor.ts';

interface Completions {
  /** The start of the name to complete. */
  readonly begin: number;
  readonly candidates: readonly string[];
}

export async function completionsAt(state: Edited, shell: Shell): Promise<Completions> {
  if (isShellCommand(state.text)) return await completionsInCommand(state.text.slice(0, state.cursor), shell);
  const [{ positionAt }, { candidatesFor }] = await Promise.all([
    import('./completion-position.ts'),
    import('./candidates.ts'),
  ]);
  const position = positionAt(state.text, state.cursor);
  return position
    ? { begin: position.begin, candidates: await candidatesFor(position, shell.names) }
    : { begin: state.cursor, candidates: [] };
}

async function completionsInCommand(typed: string, shell: Shell): Promise<Completions> {
  const [, name = '', gap, word = ''] = /^\s*\\(\S*)(\s+)?(\S*)$/.exec(typed) ?? [];
  if (gap === undefined) {
    const names = shellCommands.map((one) => (one.takes ? `${one.name} ` : one.name));
    return { begin: typed.length - name.length, candidates: names.filter((one) => one.startsWith(name)) };
  }
  const words = (await shellCommands.find((one) => one.name === name)?.words?.(shell)) ?? [];
  return { begin: typed.length - word.length, candidates: words.filter((one) => one.startsWith(word)) };
}
