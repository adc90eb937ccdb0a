// Settings as an operator may see them: secrets masked, each with where its value came from.

import { type Config, SETTING_NAMES, type SettingName, settings } from './index.ts';
import type { ReadSettings, SettingSource } from './read-config.ts';
import type { Setting } from './setting.ts';

export interface ShownSetting {
  readonly name: SettingName;
  /** Null for a setting that is off. */
  readonly value: string | null;
  readonly source: SettingSource['kind'];
  readonly about: Setting<unknown>['about'];
}

/** In the order of their subjects. Without sources every setting counts as a default. */
export const shownSettings = (config: Config, sources: Partial<ReadSettings['sources']> = {}): ShownSetting[] =>
  SETTING_NAMES.map((name) => ({
    name,
    value: shownValue(settings[name], config[name], sources[name]?.text),
    source: sources[name]?.kind ?? 'default',
    about: settings[name].about,
  }));

/** Of a list the text that it was read from: its items may be more than texts. */
function shownValue({ shown }: Setting<unknown>, value: unknown, text: string | undefined): string | null {
  if (value === undefined) return null;
  if (shown) return shown(value);
  return typeof value === 'object' ? (text ?? '') : String(value);
}
