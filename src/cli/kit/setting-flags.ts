// Settings of the service as flags, for the commands that start it or work on its folders.

import { type SettingName, settings } from '#settings/index.ts';
import { type ConfigSources, type ReadSettings, readSettings, variableOf } from '#settings/read-config.ts';
import { type Setting, settingsFileFlag } from '#settings/setting.ts';
import type { Flags, Invocation } from './command.ts';

export function settingFlags(names: readonly SettingName[]): Flags {
  const flags = names.map((name) => {
    const { hint, about, initial }: Setting<unknown> = settings[name];
    const words = { about, initial, variable: variableOf(name), isSetting: true } as const;
    return [name, hint === undefined ? words : { ...words, hint }] as const;
  });
  return Object.fromEntries(flags);
}

export const configFlag: Flags = { config: settingsFileFlag };

export async function givenSettings(
  { flags, environment }: Pick<Invocation, 'flags' | 'environment'>,
  defaults: NonNullable<ConfigSources['defaults']> = {},
): Promise<ReadSettings> {
  const { config: file, ...given } = flags;
  return await readSettings({ flags: given, environment, defaults, ...(file === undefined ? {} : { file }) });
}
