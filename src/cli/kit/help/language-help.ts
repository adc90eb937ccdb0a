// Help on a command or function of the query language, as lines for people.

import { columns } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { nearMiss } from '#kernel/text/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { knownCommands } from '#query/commands/index.ts';
import { knownAggregates, knownFunctions } from '#query/functions/index.ts';
import { helpOn } from '#query/help.ts';

/** Empty for a word that the language does not have. */
export function languageHelpLines(word: string, { language, text }: Translator): string[] {
  const { command, functions } = helpOn(word, language);
  const commandLines = command ? [command.syntax, `  ${command.summary}`] : [];
  const options = command?.options.map(({ name, default: initial, values, type, summary }) => [
    `    ${name}=${values ? values.join('|') : type}`,
    [summary, initial === null ? '' : `= ${initial}`].filter((part) => part !== '').join(' · '),
  ]);
  const optionLines = options && options.length > 0 ? [`  ${text('help-options')}:`, ...columns(options)] : [];
  const functionLines = functions.flatMap(({ syntax, summary, returns }) => [`${syntax} → ${returns}`, `  ${summary}`]);
  return [...commandLines, ...optionLines, ...functionLines];
}

/** The error for a word without help. */
export function unknownWord(word: string): UsageError {
  const suggestion = nearMiss(word, [...knownCommands(), ...knownFunctions(), ...knownAggregates()]);
  return new UsageError(suggestion ? 'help-word-near' : 'help-word', { word, suggestion: suggestion ?? '' });
}
