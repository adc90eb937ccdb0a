// The shell without a terminal: runs the statements of standard input one after another, also after a failed one. The exit
// code is that of the first failed statement.

import { createInterface } from 'node:readline';
import type { Client } from '#cli/kit/client.ts';
import type { Invocation, Keyboard } from '#cli/kit/command.ts';
import { errorText, exitCodeOf, ServiceError } from '#cli/kit/failures/failure.ts';
import { findingLines } from '#cli/kit/failures/findings.ts';
import { Interruption } from '#cli/kit/interruption.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import { executeQuery } from '#cli/query/execution.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { KnownNames } from './completion/known-names.ts';
import { History } from './history/history.ts';
import { ShellSettings } from './settings.ts';
import { runShellCommand, type Shell } from './shell-commands.ts';
import { isShellCommand, statementsIn } from './statements.ts';

export async function runScript(invocation: Invocation, client: Client, input: Keyboard): Promise<number> {
  const { translator, print, note } = invocation;
  const settings = new ShellSettings(invocation);
  // Wrong flags are reported before the first statement.
  const names = new KnownNames(client, settings.queryOptionsFor('').params);
  const shell: Shell = { client, names, settings, history: new History(), translator, print, note };
  using interruption = new Interruption();
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal: interruption.signal });
  let exitCode = 0;
  for await (const text of statementsIn(lines)) {
    if (interruption.signal.aborted) break;
    const { code, isLast } = await runStatement(text, { shell, invocation, interruption });
    exitCode ||= code;
    if (isLast) break;
  }
  return interruption.exitCode ?? exitCode;
}

interface ScriptContext {
  readonly shell: Shell;
  readonly invocation: Invocation;
  readonly interruption: Interruption;
}

async function runStatement(text: string, context: ScriptContext): Promise<{ code: number; isLast: boolean }> {
  const { translator, note } = context.shell;
  try {
    if (isShellCommand(text)) return { code: 0, isLast: await runShellCommand(text, context.shell) };
    return { code: await runQuery(text, context), isLast: false };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ServiceError)) throw error;
    note(`vigil: ${errorText(error, translator)}`);
    return { code: exitCodeOf(error), isLast: false };
  }
}

async function runQuery(text: string, { shell, invocation, interruption }: ScriptContext): Promise<number> {
  const { client, settings, translator, note } = shell;
  return await executeQuery({
    client,
    options: settings.queryOptionsFor(text),
    stop: interruption,
    translator,
    note,
    streams: invocation.streams,
    isTimed: settings.isTimed,
    partShown: 'shell-part-shown',
    offerReplacement: async (replacement) => {
      note(translator.text('query-replacement', { text: printable(replacement) }));
      return false;
    },
    reportFindings: (findings) => findingLines(findings, text, translator).forEach(note),
  });
}
