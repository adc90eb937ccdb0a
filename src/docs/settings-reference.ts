// The reference of the settings, made from their declarations.

import { SETTING_NAMES, type SettingName, settings } from '#settings/index.ts';
import { variableOf } from '#settings/read-config.ts';
import { type Setting, settingsFileFlag } from '#settings/setting.ts';
import { code, markdownCode, markdownList, markdownTable } from './markdown.ts';
import { PRODUCT_NAME } from './product.ts';

export function settingsReference(): string {
  const parts = [
    `# ${PRODUCT_NAME}: settings`,
    'A setting is read from the first of these that gives it:',
    markdownList([
      'its flag of `vigil serve`, written `--name value` or `--name=value`;',
      'its environment variable;',
      'the file `vigil.toml` in the folder where the service is started, under the same name;',
      'its default.',
    ]),
    `${flag('config', settingsFileFlag.hint)}: ${settingsFileFlag.about.en}.`,
    '## All settings',
    markdownTable({ head: ['Setting', 'Flag', 'Variable', 'Default', 'Meaning'], rows: SETTING_NAMES.map(row) }),
    '## A settings file',
    'A `vigil.toml` that sets every setting to its default:',
    markdownCode(settingsFile(), 'toml'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Every setting that has a default, set to it. */
export function settingsFile(): string {
  return SETTING_NAMES.flatMap((name) => {
    const { initial } = settings[name];
    return initial === undefined
      ? []
      : [`${name} = ${/^(\d+|true|false)$/.test(initial) ? initial : JSON.stringify(initial)}`];
  }).join('\n');
}

function row(name: SettingName): string[] {
  const { hint, about, initial }: Setting<unknown> = settings[name];
  return [code(name), flag(name, hint), code(variableOf(name)), initial ? code(initial) : '', about.en];
}

const flag = (name: string, hint = '') => code(`--${name} ${hint}`.trimEnd());
