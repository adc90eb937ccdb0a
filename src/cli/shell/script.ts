// The shell without a terminal: the statements of standard input in turn. One that fails does not keep the next from
// running; the exit code is that of the first that failed.

import { createInterface } from 'node:readline';
import type { Client } from '#cli/client.ts';
import type { Invocation, Keyboard } from '#cli/command.ts';
import { exitCodeOf, Refused, worded } from '#cli/failure.ts';
import { Interruption } from '#cli/interruption.ts';
import { executed } from '#cli/query-execution.ts';
import { mistakeLines } from '#cli/query-mistake.ts';
import { Mistake } from '#kernel/mistake.ts';
import { History } from './history.ts';
import { KnownNames } from './known-names.ts';
import { ShellSettings } from './settings.ts';
import { obeyed, type Shell } from './shell-commands.ts';
import { isShellCommand, statementsIn } from './statements.ts';

export async function fromInput(invocation: Invocation, client: Client, input: Keyboard): Promise<number> {
  const { speech, print, note } = invocation;
  const settings = new ShellSettings(invocation);
  // Wrong flags are complained about before anything is typed.
  const names = new KnownNames(client, settings.wishFor('').params);
  const shell: Shell = { client, names, settings, history: new History(), speech, print, note };
  using interruption = new Interruption();
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal: interruption.signal });
  let exitCode = 0;
  for await (const text of statementsIn(lines)) {
    if (interruption.signal.aborted) break;
    const { code, isLast } = await taken(text, { shell, invocation, interruption });
    exitCode ||= code;
    if (isLast) break;
  }
  return interruption.exitCode ?? exitCode;
}

interface Around {
  readonly shell: Shell;
  readonly invocation: Invocation;
  readonly interruption: Interruption;
}

async function taken(text: string, around: Around): Promise<{ code: number; isLast: boolean }> {
  const { speech, note } = around.shell;
  try {
    if (isShellCommand(text)) return { code: 0, isLast: await obeyed(text, around.shell) };
    return { code: await ran(text, around), isLast: false };
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof Refused)) throw error;
    note(`vigil: ${worded(error, speech)}`);
    return { code: exitCodeOf(error), isLast: false };
  }
}

async function ran(text: string, { shell, invocation, interruption }: Around): Promise<number> {
  const { client, settings, speech, note } = shell;
  return await executed({
    ...{ client, wish: settings.wishFor(text), stop: interruption, speech, note, streams: invocation.streams },
    isTimed: settings.isTimed,
    partShown: 'shell-part-shown',
    mistaken: (mistakes) => mistakeLines(mistakes, text, speech).forEach(note),
  });
}
