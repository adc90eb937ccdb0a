// The list of all settings, each declared once in the file of its subject.

import { accessSettings } from './access.ts';
import { bodySettings } from './bodies.ts';
import { collectSettings } from './collecting.ts';
import { demoSetting } from './demo.ts';
import { querySettings } from './queries.ts';
import { scheduleSettings } from './schedules.ts';
import { serviceSettings } from './service.ts';
import type { Setting } from './setting.ts';
import { storageSettings } from './storage.ts';

export const settings = {
  ...serviceSettings,
  ...accessSettings,
  ...bodySettings,
  ...storageSettings,
  ...querySettings,
  ...collectSettings,
  ...scheduleSettings,
  ...demoSetting,
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** Settings without an initial value may be absent. */
export type Config = Readonly<
  Omit<{ [N in SettingName]: ValueOf<(typeof settings)[N]> }, 'database' | 'tls-cert' | 'tls-key'>
> & { readonly database?: string; readonly 'tls-cert'?: string; readonly 'tls-key'?: string };

export const SETTING_NAMES = Object.keys(settings) as SettingName[];
