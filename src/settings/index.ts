// The settings: each declared once, read from its flag, its environment variable or vigil.toml, in this order. The
// result is frozen; nothing else reads the environment.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { nearMiss } from '#kernel/near-miss.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { TARGETS } from '#kernel/web-target.ts';
import { accessSettings } from './access.ts';
import { bodySettings } from './bodies.ts';
import { collectSettings } from './collecting.ts';
import { demoSetting } from './demo.ts';
import { memoryDefaults, querySettings } from './queries.ts';
import { scheduleSettings } from './schedules.ts';
import { number, oneOf, plain, type Setting, setting, zone } from './setting.ts';
import { storageSettings } from './storage.ts';

export const settings = {
  host: setting({
    hint: 'ADDRESS',
    about: { en: 'address to listen on', ko: '수신할 주소' },
    initial: '127.0.0.1',
    read: plain,
  }),
  port: setting({
    hint: 'PORT',
    about: { en: 'port to listen on; 0 picks a free one', ko: '수신할 포트, 0이면 빈 포트를 고름' },
    initial: '8470',
    read: number(0, 65535),
  }),
  data: setting({
    hint: 'FOLDER',
    about: { en: 'folder for everything that is stored', ko: '모든 저장 데이터의 폴더' },
    initial: './data',
    read: (text) => resolve(text),
  }),
  keys: setting({
    hint: 'FOLDER',
    about: {
      en: 'folder for secrets, kept apart from the data; by default `vigil` in the user’s configuration folder',
      ko: '데이터와 분리해 두는 비밀 키 폴더, 기본값은 사용자 설정 폴더의 `vigil`',
    },
    initial: undefined,
    read: (text) => resolve(text),
  }),
  database: setting({
    hint: 'URL',
    about: {
      en: 'postgres:// URL of the metadata database; by default a file in the data folder',
      ko: '메타데이터 데이터베이스의 postgres:// URL, 기본값은 데이터 폴더의 파일',
    },
    initial: undefined,
    read(text, name) {
      if (!/^postgres(ql)?:\/\//.test(text)) throw new UsageError('setting-not-a-database', { name });
      return text;
    },
  }),
  'tls-cert': setting({
    hint: 'FILE',
    about: {
      en: 'certificate chain in PEM; with tls-key the service speaks HTTPS',
      ko: 'PEM 인증서 체인, tls-key와 함께 쓰면 HTTPS로 동작',
    },
    initial: undefined,
    read: plain,
  }),
  'tls-key': setting({
    hint: 'FILE',
    about: { en: 'private key of the certificate in PEM', ko: '인증서의 PEM 개인 키' },
    initial: undefined,
    read: plain,
  }),
  'time-zone': setting({
    hint: 'ZONE',
    about: { en: 'zone in which times are written and schedules are read', ko: '시각 표기와 일정 해석에 쓰는 시간대' },
    initial: 'UTC',
    read: zone,
  }),
  'log-level': setting({
    hint: 'LEVEL',
    about: { en: 'how much the service log says', ko: '서비스 로그의 상세 수준' },
    initial: 'info',
    read: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  metrics: setting({
    hint: 'open|closed',
    about: { en: 'closed: /metrics needs the key of an administrator', ko: 'closed: /metrics에 관리자 키가 필요함' },
    initial: 'open',
    read: oneOf(['open', 'closed']),
  }),
  'webhook-targets': setting({
    hint: 'remote|any',
    about: {
      en: 'any: webhooks may also point at loopback, link-local, multicast and cloud metadata addresses',
      ko: 'any: 웹훅이 루프백, 링크 로컬, 멀티캐스트, 클라우드 메타데이터 주소도 가리킬 수 있음',
    },
    initial: 'remote',
    read: oneOf(TARGETS),
  }),
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
const CONFIG_FILE = 'vigil.toml';

export interface ConfigSources {
  /** Flags by name, without their dashes. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A settings file that must exist; without it `vigil.toml` is read where there is one. */
  readonly file?: string;
  /** What holds where none of these says something, in place of the setting's own default. */
  readonly defaults?: Readonly<Partial<Record<SettingName, string>>>;
}

export async function readConfig({ flags, environment, file, defaults = {} }: ConfigSources): Promise<Config> {
  const written = await readSettingsFile(file);
  const entries = SETTING_NAMES.map((name) => {
    const { initial, read } = settings[name];
    const text = flags[name] ?? environment[variableOf(name)] ?? written[name] ?? defaults[name] ?? initial;
    return [name, text === undefined ? undefined : read(text, name)] as const;
  });
  const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  // `settings` and Config name the same keys; the fold over entries hides that from the compiler.
  const config = { keys: keysFolder(environment), ...memoryDefaults(), ...given } as unknown as Config;
  if ((config['tls-cert'] === undefined) !== (config['tls-key'] === undefined)) throw new UsageError('tls-half-given');
  return Object.freeze(config);
}

/** `trusted-proxies` is VIGIL_TRUSTED_PROXIES in the environment. */
export const variableOf = (name: string): string => `VIGIL_${name.toUpperCase().replaceAll('-', '_')}`;

export function unknownName(code: 'unknown-flag' | 'unknown-key', name: string, known: readonly string[]): UsageError {
  const suggestion = nearMiss(name, known);
  return new UsageError(suggestion ? `${code}-near` : code, { name, suggestion: suggestion ?? '' });
}

async function readSettingsFile(file: string | undefined): Promise<Record<string, string>> {
  const path = file ?? CONFIG_FILE;
  if (!existsSync(path)) {
    if (file === undefined) return {};
    throw new UsageError('no-settings-file', { path });
  }
  const { parse } = await import('smol-toml');
  let table: Record<string, unknown>;
  try {
    table = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UsageError('bad-settings-file', { path, reason: cause instanceof Error ? cause.message : '' }, { cause });
  }
  const unknown = Object.keys(table).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined) throw unknownName('unknown-key', unknown, SETTING_NAMES);
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

function keysFolder(environment: ConfigSources['environment']): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'vigil');
}
