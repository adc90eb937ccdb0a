// Asks before something that cannot be undone: at a terminal by a question, otherwise by the flag --yes.

import { createInterface } from 'node:readline/promises';
import type { MessageCode } from '#cli/messages/index.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Flags, Invocation } from './command.ts';

export const yesFlag: Flags = {
  yes: { about: { en: 'do it without asking', ko: '묻지 않고 실행' } },
};

/** Throws a UsageError if the answer is no, or if nobody can be asked. `warning` says what would happen. */
export async function confirm({ flags, streams, translator }: Invocation, warning: MessageCode): Promise<void> {
  if (flags.yes !== undefined) return;
  const { stdin, stderr } = streams;
  const text = translator.text(warning);
  if (stdin?.isTTY !== true) throw new UsageError('not-confirmed', { warning: text });
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await lines.question(`${text} ${translator.text('confirm-question')} `);
    if (!/^\s*(?:y|yes|예|네)\s*$/i.test(answer)) throw new UsageError('not-confirmed', { warning: text });
  } finally {
    lines.close();
  }
}

/** Asks at a terminal; true if the answer is Enter alone. */
export async function isEntered(
  input: NonNullable<Invocation['streams']['stdin']>,
  output: Invocation['streams']['stderr'],
  question: string,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    return (await lines.question(`${question} `)).trim() === '';
  } catch {
    // Ctrl-C, or the end of the input.
    return false;
  } finally {
    lines.close();
  }
}
