// Help texts, derived from the declarations of commands.

import type { Command, Flag } from '#cli/kit/command.ts';
import { columns } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';

export function helpForAll(commands: readonly Command[], { text, language }: Translator): string {
  const rows = commands.map((command) => [`  ${usage(command)}`, command.about[language]]);
  return [
    `${text('help-usage')}: vigil COMMAND`,
    '',
    `${text('help-commands')}:`,
    ...columns(rows),
    '',
    text('help-more'),
  ].join('\n');
}

export function helpFor(command: Command, translator: Translator): string {
  const { text, language } = translator;
  const flags = Object.entries(command.flags);
  const settings = flags.filter(([, { isSetting }]) => isSetting);
  const others = flags.filter(([, { isSetting }]) => !isSetting);
  return [
    `${text('help-usage')}: vigil ${usage(command)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
    command.about[language],
    ...section(text('help-settings'), settings, translator),
    ...section(text('help-flags'), others, translator),
  ].join('\n');
}

function section(heading: string, flags: readonly (readonly [string, Flag])[], translator: Translator): string[] {
  if (flags.length === 0) return [];
  return ['', `${heading}:`, ...columns(flags.map(([name, flag]) => flagRow(name, flag, translator)))];
}

function flagRow(name: string, flag: Flag, { text, language }: Translator): string[] {
  const { hint, about, isRequired, variable, initial } = flag;
  const notes = [
    about[language],
    isRequired ? text('help-required') : '',
    variable ?? '',
    initial ? `= ${initial}` : '',
  ];
  return [`  --${name}${hint ? ` ${hint}` : ''}`, notes.filter((note) => note !== '').join(' · ')];
}

const usage = ({ name, takes }: Command) => (takes ? `${name} ${takes}` : name);
