// Help texts, made from the declarations of commands.

import type { Command, Flag } from './command.ts';
import type { Speech } from './speech.ts';
import { columns } from './table.ts';

export function helpForAll(commands: readonly Command[], { say, language }: Speech): string {
  const rows = commands.map((command) => [`  ${usage(command)}`, command.about[language]]);
  return [
    `${say('help-usage')}: vigil COMMAND`,
    '',
    `${say('help-commands')}:`,
    ...columns(rows),
    '',
    say('help-more'),
  ].join('\n');
}

export function helpFor(command: Command, speech: Speech): string {
  const { say, language } = speech;
  const flags = Object.entries(command.flags);
  const settings = flags.filter(([, { isSetting }]) => isSetting);
  const others = flags.filter(([, { isSetting }]) => !isSetting);
  return [
    `${say('help-usage')}: vigil ${usage(command)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
    command.about[language],
    ...section(say('help-settings'), settings, speech),
    ...section(say('help-flags'), others, speech),
  ].join('\n');
}

function section(heading: string, flags: readonly (readonly [string, Flag])[], speech: Speech): string[] {
  if (flags.length === 0) return [];
  return ['', `${heading}:`, ...columns(flags.map(([name, flag]) => flagRow(name, flag, speech)))];
}

function flagRow(name: string, flag: Flag, { say, language }: Speech): string[] {
  const { hint, about, isRequired, variable, initial } = flag;
  const notes = [
    about[language],
    isRequired ? say('help-required') : '',
    variable ?? '',
    initial ? `= ${initial}` : '',
  ];
  return [`  --${name}${hint ? ` ${hint}` : ''}`, notes.filter((note) => note !== '').join(' · ')];
}

const usage = ({ name, takes }: Command) => (takes ? `${name} ${takes}` : name);
