// The list of all settings, each declared once in the file of its subject.

import type { Setting } from './setting.ts';
import { accessSettings } from './subjects/access.ts';
import { bodySettings } from './subjects/bodies.ts';
import { collectSettings } from './subjects/collecting.ts';
import { demoSetting } from './subjects/demo.ts';
import { logsSettings } from './subjects/logs.ts';
import { nodeSettings } from './subjects/nodes.ts';
import { querySettings } from './subjects/queries.ts';
import { scheduleSettings } from './subjects/schedules.ts';
import { senderSettings } from './subjects/senders.ts';
import { serviceSettings } from './subjects/service.ts';
import { storageSettings } from './subjects/storage.ts';

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
