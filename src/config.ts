// The settings: each declared once, read from its flag, its environment variable or vigil.toml, in this order. The
// result is frozen; nothing else reads the environment.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Mistake } from '#kernel/mistake.ts';
import { nearMiss } from '#kernel/near-miss.ts';
import { TARGETS } from '#kernel/web-target.ts';
import { collectSettings } from './collect-settings.ts';
import { demoSetting } from './demo-setting.ts';
import { memoryDefaults, querySettings } from './query-settings.ts';
import { scheduleSettings } from './schedule-settings.ts';
import { networks, number, oneOf, plain, type Setting, setting, zone } from './setting.ts';

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
      if (!/^postgres(ql)?:\/\//.test(text)) throw new Mistake('setting-not-a-database', { name });
      return text;
    },
  }),
  'trusted-proxies': setting({
    hint: 'NETWORKS',
    about: {
      en: 'addresses or networks, comma-separated, whose X-Forwarded-For is believed; none by default',
      ko: 'X-Forwarded-For를 신뢰할 주소나 네트워크(쉼표로 구분), 기본값은 없음',
    },
    initial: '',
    read: networks,
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
      en: 'any: webhooks may also point at this machine and its links',
      ko: 'any: 웹훅이 이 서버 자신과 링크 로컬 주소도 가리킬 수 있음',
    },
    initial: 'remote',
    read: oneOf(TARGETS),
  }),
  'body-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest form or JSON body', ko: '폼 또는 JSON 본문의 최대 크기' },
    initial: String(16 * 1024 * 1024),
    read: number(1024, 1024 * 1024 * 1024),
  }),
  'guids-limit': setting({
    hint: 'COUNT',
    about: { en: 'items in a list of GUIDs or codes', ko: 'GUID나 코드 목록의 최대 항목 수' },
    initial: '10000',
    read: number(1, 1_000_000),
  }),
  'failed-auth-limit': setting({
    hint: 'COUNT',
    about: {
      en: 'failed authentications per address and minute before 429',
      ko: '429를 보내기 전까지 허용하는 주소별 분당 인증 실패 수',
    },
    initial: '60',
    read: number(1, 1_000_000),
  }),
  'segment-rows': setting({
    hint: 'COUNT',
    about: {
      en: 'fresh records of a table before they are sealed into a segment',
      ko: '세그먼트로 봉인하기 전 테이블의 새 레코드 수',
    },
    initial: '100000',
    read: number(1, 10_000_000),
  }),
  'seal-after': setting({
    hint: 'SECONDS',
    about: {
      en: 'how long records stay fresh before they are sealed, however few',
      ko: '적은 수라도 레코드를 봉인하기까지의 시간',
    },
    initial: '300',
    read: number(1, 86_400),
  }),
  'maintenance-period': setting({
    hint: 'SECONDS',
    about: {
      en: 'how often sealing, merging and retention are looked after',
      ko: '봉인, 병합, 보존 기간을 점검하는 주기',
    },
    initial: '10',
    read: number(1, 3600),
  }),
  'memory-folder': setting({
    hint: 'FOLDER',
    about: {
      en: 'folder in memory (tmpfs) where encrypted tables are read and written in clear, in files without a name',
      ko: '암호화 테이블을 평문으로 읽고 쓰는 메모리 폴더(tmpfs), 파일에는 이름이 없음',
    },
    initial: '/dev/shm',
    read: (text) => resolve(text),
  }),
  'memory-cache': setting({
    hint: 'BYTES',
    about: {
      en: 'decrypted segments held in the memory folder at most; what a query reads at once must fit',
      ko: '메모리 폴더에 두는 복호화된 세그먼트의 최대 크기, 한 쿼리가 읽는 양이 들어가야 함',
    },
    initial: String(4 * 1024 * 1024 * 1024),
    read: number(1024, Number.MAX_SAFE_INTEGER),
  }),
  'upload-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest upload', ko: '업로드 하나의 최대 크기' },
    initial: String(64 * 1024 ** 3),
    read: number(1, Number.MAX_SAFE_INTEGER),
  }),
  'upload-streams': setting({
    hint: 'COUNT',
    about: { en: 'uploads that may be open at once', ko: '동시에 열어 둘 수 있는 업로드 수' },
    initial: '1000',
    read: number(1, 1_000_000),
  }),
  'upload-idle': setting({
    hint: 'SECONDS',
    about: {
      en: 'how long an upload may rest before it is removed, and a completed one is remembered',
      ko: '멈춘 업로드를 지우기까지, 그리고 끝난 업로드를 기억하는 시간',
    },
    initial: '86400',
    read: number(1, 31_536_000),
  }),
  ...querySettings,
  ...collectSettings,
  ...scheduleSettings,
  ...demoSetting,
  'push-limit': setting({
    hint: 'BYTES',
    about: { en: 'largest body of pushed logs, unfolded', ko: '전송 로그 본문의 최대 크기(압축 해제 후)' },
    initial: String(64 * 1024 * 1024),
    read: number(1024, 256 * 1024 * 1024),
  }),
  'rejected-limit': setting({
    hint: 'COUNT',
    about: { en: 'rejected lines that one answer names', ko: '한 응답에 알리는 거부된 줄의 수' },
    initial: '1000',
    read: number(0, 1_000_000),
  }),
  'line-limit': setting({
    hint: 'BYTES',
    about: { en: 'longest pushed or uploaded line', ko: '전송하거나 업로드하는 한 줄의 최대 크기' },
    initial: String(1024 * 1024),
    read: number(1, 64 * 1024 * 1024),
  }),
  'key-rate': setting({
    hint: 'COUNT',
    about: { en: 'requests per second and key; 0 means no limit', ko: '키별 초당 요청 수, 0이면 제한 없음' },
    initial: '0',
    read: number(0, 1_000_000),
  }),
  'key-burst': setting({
    hint: 'COUNT',
    about: {
      en: 'requests a key may make at once before key-rate counts',
      ko: 'key-rate 적용 전에 한꺼번에 허용하는 요청 수',
    },
    initial: '100',
    read: number(1, 1_000_000),
  }),
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
  if ((config['tls-cert'] === undefined) !== (config['tls-key'] === undefined)) throw new Mistake('tls-half-given');
  return Object.freeze(config);
}

/** `trusted-proxies` is VIGIL_TRUSTED_PROXIES in the environment. */
export const variableOf = (name: string): string => `VIGIL_${name.toUpperCase().replaceAll('-', '_')}`;

export function unknownName(code: 'unknown-flag' | 'unknown-key', name: string, known: readonly string[]): Mistake {
  const suggestion = nearMiss(name, known);
  return new Mistake(suggestion ? `${code}-near` : code, { name, suggestion: suggestion ?? '' });
}

async function readSettingsFile(file: string | undefined): Promise<Record<string, string>> {
  const path = file ?? CONFIG_FILE;
  if (!existsSync(path)) {
    if (file === undefined) return {};
    throw new Mistake('no-settings-file', { path });
  }
  const { parse } = await import('smol-toml');
  let table: Record<string, unknown>;
  try {
    table = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Mistake('bad-settings-file', { path, reason: cause instanceof Error ? cause.message : '' }, { cause });
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
