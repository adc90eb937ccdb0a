// The list of all settings, each declared once in the file of its subject.

import { accessSettings } from './access.ts';
import { bodySettings } from './bodies.ts';
import { collectSettings } from './collecting.ts';
import { demoSetting } from './demo.ts';
import { logsSettings } from './logs.ts';
import { nodeSettings } from './nodes.ts';
import { querySettings } from './queries.ts';
import { scheduleSettings } from './schedules.ts';
import { senderSettings } from './senders.ts';
import { serviceSettings } from './service.ts';
import type { Setting } from './setting.ts';
import { storageSettings } from './storage.ts';

export const settings = {
  ...serviceSettings,
  ...accessSettings,
  ...bodySettings,
  ...logsSettings,
  ...nodeSettings,
  ...storageSettings,
  ...querySettings,
  ...collectSettings,
  ...senderSettings,
  ...scheduleSettings,
  ...demoSetting,
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

type Values = { readonly [N in SettingName]: ValueOf<(typeof settings)[N]> };

/** Settings without an initial value that may be absent; others of them are computed. */
type Optional =
  | 'database'
  | 'tls-cert'
  | 'tls-key'
  | 'senders-port'
  | 'senders-host'
  | 'logs-password-file'
  | 'node'
  | 'master-secret-file'
  | 'advertise';

export type Config = Readonly<Omit<Values, Optional> & Partial<Pick<Values, Optional>>>;

export const SETTING_NAMES = Object.keys(settings) as SettingName[];
