// Commands of one's own (8.5): the procedures that are commands, and help on one of them.

import type { Client } from '#cli/kit/client.ts';
import { columns, printable } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { AnswerFor } from '#client/call.ts';

export type OwnCommand = AnswerFor<'GET /api/core/procedures'>['procedures'][number];

const MAX_COMMANDS = 10_000;

/** Those that the key may run. */
export const ownCommands = async (client: Client): Promise<readonly OwnCommand[]> =>
  (await client.call('GET /api/core/procedures', { command: true, limit: MAX_COMMANDS })).procedures;

export function ownCommandLines({ name, description = '', parameters }: OwnCommand, { text }: Translator): string[] {
  const syntax = [name, ...parameters.map(({ key }) => `[${key}]`)].map(printable).join(' ');
  const summary = description === '' ? [] : [`  ${printable(description)}`];
  const options = parameters.map(({ key, type, description: meaning = '' }) => [
    `    ${printable(key)}=${type}`,
    printable(meaning),
  ]);
  return [syntax, ...summary, ...(options.length > 0 ? [`  ${text('help-options')}:`, ...columns(options)] : [])];
}

/** Empty for a word that is no such command. */
export async function ownCommandHelp(word: string, client: Client, translator: Translator): Promise<string[]> {
  const found = (await ownCommands(client)).find(({ name }) => name === word.normalize());
  return found ? ownCommandLines(found, translator) : [];
}
