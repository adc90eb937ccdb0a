// The settings of where logs are stored: embedded, or on ClickHouse with the limits of statements there.

import { MASK } from '#contract/secret-names.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { number, plain, setting } from '#settings/setting.ts';

/** A log store on ClickHouse. */
export interface LogStoreUrl {
  /** Ways into one cluster, or to one server. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly isTls: boolean;
  /** A secret, like the password. */
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** Undefined where the hosts are one shard. */
  readonly cluster: string | undefined;
}

const EMBEDDED = 'embedded';

export const logsSettings = {
  logs: setting<LogStoreUrl | typeof EMBEDDED>({
    hint: 'URL',
    about: {
      en: 'where logs are stored: embedded, or clickhouse://user:password@host1,host2/database?cluster=NAME',
      ko: '로그를 저장하는 곳, embedded 또는 clickhouse://user:password@host1,host2/database?cluster=NAME',
    },
    initial: EMBEDDED,
    shown: (value) => (value === EMBEDDED ? EMBEDDED : shownUrl(value)),
    read: (text, name) => (text === EMBEDDED ? EMBEDDED : readUrl(text, name)),
  }),
  'logs-password-file': setting({
    hint: 'FILE',
    about: {
      en: 'file that holds the password of the log store, where its URL has none',
      ko: 'URL에 비밀번호가 없을 때 로그 저장소의 비밀번호를 읽을 파일',
    },
    initial: undefined,
    read: plain,
  }),
  'logs-memory-per-account': setting({
    hint: 'BYTES',
    about: {
      en: 'memory of all running statements of one account on a server of the log store',
      ko: '로그 저장소 서버에서 한 계정이 실행 중인 모든 문장의 메모리',
    },
    initial: String(8 * 2 ** 30),
    read: number(2 ** 20, Number.MAX_SAFE_INTEGER),
  }),
  'logs-time': setting({
    hint: 'SECONDS',
    about: {
      en: 'maximum time of one statement on the log store',
      ko: '로그 저장소에서 문장 하나를 실행하는 최대 시간',
    },
    initial: '3600',
    read: number(1, 604_800),
  }),
} as const;

const URL_FORM = /^clickhouse:\/\/(?:(?<account>[^@/]*)@)?(?<hosts>[^@/?]+)\/(?<database>\w+)(?:\?(?<options>.*))?$/;
const HOST_FORM = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(?<port>\d{1,5}))?$/i;

const TLS_PORT = 8443;
const PLAIN_PORT = 8123;
const MAX_PORT = 65_535;

/** Not of the platform: its reader of urls refuses several hosts with ports. The error shows nothing of the text. */
function readUrl(text: string, name: string): LogStoreUrl {
  const refusal = new UsageError('setting-not-a-log-store', { name });
  const { account = '', hosts = '', database = '', options = '' } = URL_FORM.exec(text)?.groups ?? {};
  const params = new URLSearchParams(options);
  const isKnown = [...params].every(([key, value]) => key === 'cluster' || (key === 'tls' && /^(on|off)$/.test(value)));
  if (hosts === '' || !isKnown) throw refusal;
  const isTls = params.get('tls') !== 'off';
  const [user = '', ...password] = account.split(':');
  return {
    hosts: hosts.split(',').map((host) => readHost(host, isTls ? TLS_PORT : PLAIN_PORT, refusal)),
    isTls,
    user: decoded(user, refusal) || 'default',
    password: password.length === 0 ? undefined : decoded(password.join(':'), refusal),
    database,
    cluster: params.get('cluster') || undefined,
  };
}

function readHost(text: string, usualPort: number, refusal: UsageError) {
  const { host, port = String(usualPort) } = HOST_FORM.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) < 1 || Number(port) > MAX_PORT) throw refusal;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function decoded(text: string, refusal: UsageError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Without the cause: its text may be of a password.
    throw refusal;
  }
}

function shownUrl({ hosts, isTls, database, cluster }: LogStoreUrl): string {
  const addresses = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const options = [...(cluster ? [`cluster=${cluster}`] : []), ...(isTls ? [] : ['tls=off'])].join('&');
  return `clickhouse://${MASK}@${addresses.join(',')}/${database}${options === '' ? '' : `?${options}`}`;
}
