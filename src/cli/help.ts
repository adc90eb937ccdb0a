// Help texts, made from the declarations of commands and settings.

import { type SettingName, settings, variableOf } from '#config.ts';
import type { Command } from './command.ts';
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

export function helpFor(command: Command, { say, language }: Speech): string {
  const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name) && command.name === 'serve';
  const rows = Object.entries(command.flags).map(([name, { hint, about }]) => {
    const initial = isSetting(name) ? settings[name].initial : undefined;
    const notes = [about[language], isSetting(name) ? variableOf(name) : '', initial ? `= ${initial}` : ''];
    return [`  --${name}${hint ? ` ${hint}` : ''}`, notes.filter((note) => note !== '').join(' · ')];
  });
  const heading = command.name === 'serve' ? say('help-settings') : say('help-flags');
  const flags = rows.length === 0 ? [] : ['', `${heading}:`, ...columns(rows)];
  return [`${say('help-usage')}: vigil ${usage(command)}`, command.about[language], ...flags].join('\n');
}

const usage = ({ name, takes }: Command) => (takes ? `${name} ${takes}` : name);
