// Objects of a fixture: one of every family, made in an order in which each refers only to earlier ones.

import type { Client } from '#demo/connection.ts';
import type { FixtureKey } from '#test/upgrade/fixtures.ts';
import {
  ADDRESS_GROUPS,
  ALARM_GROUP,
  AUDIT_CATEGORY,
  COMPANY,
  CONNECTION_PROFILES,
  CRYPTO_PROFILE,
  DASHBOARD,
  DATASET,
  LOGGER_GROUP,
  LOGGERS,
  LOOKUP,
  MODELS,
  PROCEDURE,
  RULE_CATEGORY,
  TABLE_GROUP,
  TICKET_REPO,
  USER_GROUP,
  USERS,
} from './guids.ts';
import { MASTER_KEY, OUTBOUND_HOST } from './old-service.ts';

export const SECRET_HEADER = ['x-fixture-secret', 'sealed-by-an-earlier-version'] as const;

const field = (name: string, ko: string, type: string) => ({ name, display_name_trans: { en: name, ko }, type });

type Row = readonly [path: string, fields: object];

/** Objects that tables refer to. */
const BEFORE_TABLES: readonly Row[] = [
  ['/companies', { guid: COMPANY, name: '한빛몰' }],
  ['/users', { guid: USERS.admin, login: 'admin', name: '김철수', role: 'ADMIN', locale: 'ko' }],
  ['/users', { guid: USERS.member, login: 'member', name: '이영희', role: 'MEMBER', time_zone: 'Asia/Seoul' }],
  ['/users', { guid: USERS.auditor, login: 'auditor', name: 'Park', role: 'ADMIN', company_guid: COMPANY }],
  ['/user-groups', { guid: USER_GROUP, name: '관제팀', user_guids: [USERS.admin, USERS.member] }],
  ['/crypto-profiles', { guid: CRYPTO_PROFILE, name: 'cards', key: Buffer.alloc(32, 7).toString('base64') }],
  ['/table-groups', { guid: TABLE_GROUP, name: 'shop' }],
  [
    '/log-schemas',
    {
      code: 'login',
      name: 'Login',
      name_trans: { ko: '로그인' },
      fields: [field('src_ip', '주소', 'IP'), field('src_port', '포트', 'PORT'), field('user', '계정', 'STRING')],
    },
  ],
  ['/log-schemas', { code: 'card', name: 'Card', fields: [field('card', '카드', 'STRING')] }],
];

const LOGINS = {
  parser_code: 'syslog',
  parser_configs: {
    pattern: '(?<outcome>Accepted|Failed) \\w+ for (?<user>\\S+) from (?<src_ip>\\S+) port (?<src_port>\\d+)',
  },
  rules: [
    {
      name: 'login',
      log_schema_code: 'login',
      parser_code: 'regex',
      stream_query: 'eval result = if(outcome == "Accepted", "success", "failure") | fields - outcome',
    },
  ],
};

const PANEL = { id: 'a', title: '요청', query: 'table busy | stats count', chart: 'number', x: 0, y: 0, w: 3, h: 2 };

/** The other objects. Disabled loggers collect nothing, wherever the fixture is opened. */
const AFTER_TABLES: readonly Row[] = [
  [
    '/parsers',
    { code: 'pairs', name: '쌍', factory_name: 'key-value', configs: { pair_delimiter: ';', kv_delimiter: '=' } },
  ],
  [
    '/parsers',
    { code: 'shop', name: 'Shop', factory_name: 'query', configs: { query: 'rex field=line "^(?<who>\\\\w+)"' } },
  ],
  ['/logger-models', { guid: MODELS.json, name: 'json', logger_factory_name: 'http', parser_code: 'json' }],
  ['/logger-models', { guid: MODELS.logins, name: 'logins', logger_factory_name: 'http', ...LOGINS }],
  ['/logger-models', { guid: MODELS.files, name: 'files', logger_factory_name: 'file', parser_code: 'pairs' }],
  ['/logger-models', { guid: MODELS.syslog, name: 'syslog', logger_factory_name: 'syslog-udp', ...LOGINS }],
  ['/logger-groups', { guid: LOGGER_GROUP, name: '서울 IDC' }],
  [
    '/loggers',
    {
      guid: LOGGERS.auth,
      model_guid: MODELS.logins,
      name: 'bastion',
      table_name: 'auth',
      group_guid: LOGGER_GROUP,
      enabled: true,
    },
  ],
  ['/loggers', { guid: LOGGERS.cards, model_guid: MODELS.json, name: 'cards', table_name: 'cards', enabled: true }],
  [
    '/loggers',
    {
      guid: LOGGERS.syslog,
      model_guid: MODELS.syslog,
      name: 'syslog',
      table_name: 'auth',
      configs: { port: 5514, bind: '127.0.0.1' },
    },
  ],
  [
    '/lookups',
    { guid: LOOKUP, name: 'people', key: 'user', columns: ['user', 'dept', '층'], shared_groups: [USER_GROUP] },
  ],
  [
    '/procedures',
    {
      guid: PROCEDURE,
      name: 'busiest',
      query: 'table busy | stats count by path | sort -count, path | limit $("n")',
      parameters: [{ key: 'n', name: 'How many', type: 'long' }],
      company_public: true,
    },
  ],
  [
    '/datasets',
    {
      guid: DATASET,
      name: '실패한 로그인',
      query: 'table auth | search result == "failure"',
      shared_users: [],
      shared_groups: [USER_GROUP],
    },
  ],
  ['/dashboards', { guid: DASHBOARD, name: '현황', layout: { columns: 6, span: { last: 86_400 }, panels: [PANEL] } }],
  [
    '/connection-profiles',
    {
      guid: CONNECTION_PROFILES.http,
      name: 'api',
      kind: 'http',
      url: `http://${OUTBOUND_HOST}/v1/`,
      headers: Object.fromEntries([SECRET_HEADER]),
    },
  ],
  ['/rule-categories', { guid: RULE_CATEGORY, name: '침입 시도' }],
  ['/audit-categories', { guid: AUDIT_CATEGORY, name: '접근 소명' }],
  ['/ticket-repos', { guid: TICKET_REPO, name: '보안관제', shared_groups: [{ guid: USER_GROUP, read_only: false }] }],
  ['/address-groups', { guid: ADDRESS_GROUPS.blocked, name: '차단 목록' }],
  [`/address-groups/${ADDRESS_GROUPS.blocked}/addresses`, { ip: '198.51.100.192/28', description: '스팸 발송 대역' }],
  [`/address-groups/${ADDRESS_GROUPS.blocked}/addresses`, { ip: '2001:db8:bad::/48' }],
  ['/address-groups', { guid: ADDRESS_GROUPS.found, name: '탐지된 주소' }],
];

export const makeObjectsBeforeTables = (master: Client): Promise<void> => post(master, BEFORE_TABLES);

/** Makes the other objects. `webhook` is the address of a server that accepts alarms. */
export async function makeObjectsAfterTables(master: Client, webhook: string): Promise<void> {
  await post(master, AFTER_TABLES);
  const members = [
    { type: 'USER', guid: USERS.admin },
    { type: 'WEBHOOK', url: webhook, secret: 'secret of the webhook' },
  ];
  await master.post('/alarm-groups', { guid: ALARM_GROUP, name: '야간 당직', members });
  const grants = { shared_users: [{ guid: USERS.member, read_only: false }] };
  await master.put('/tables/busy', { group_guid: TABLE_GROUP, ...grants });
  await loadLookup(master, 'replace', 'user,dept,층\nkim,sec,3\nlee,,4\n');
  await loadLookup(master, 'merge', 'user,dept,층\npark,"개발, 운영",\nlee,hr,5\n');
  await master.put('/preferences', { preferences: { theme: 'dark', 열: ['user', 'n'] } });
}

async function loadLookup(master: Client, mode: string, body: string): Promise<void> {
  const headers = { 'content-type': 'text/csv' };
  const reply = await master.ask('PUT', `/lookups/${LOOKUP}/rows?mode=${mode}`, { headers, body });
  if (reply.status !== 200) throw new Error(`the lookup was not loaded: ${reply.text}`);
}

async function post(master: Client, rows: readonly Row[]): Promise<void> {
  for (const [path, fields] of rows) await master.post(path, fields);
}

const KEYS = [
  { login: 'admin', user: USERS.admin, role: 'ADMIN', scope: 'all' },
  { login: 'member', user: USERS.member, role: 'MEMBER', scope: 'all' },
  { login: 'member', user: USERS.member, role: 'MEMBER', scope: 'push' },
  { login: 'auditor', user: USERS.auditor, role: 'ADMIN', scope: 'all', revoked: true },
] as const;

/** Keys of every role, one that only pushes and one that is revoked. */
export async function makeKeys(master: Client): Promise<readonly FixtureKey[]> {
  const keys: FixtureKey[] = [{ login: 'master', role: 'MASTER', scope: 'all', key: MASTER_KEY, revoked: false }];
  for (const { login, user, role, scope, ...options } of KEYS) {
    const made = await master.post<{ guid: string; api_key: string }>(`/users/${user}/api-keys`, {
      name: scope,
      scope,
    });
    const revoked = 'revoked' in options;
    if (revoked) await master.remove(`/users/${user}/api-keys/${made.guid}`, {});
    keys.push({ login, role, scope, key: made.api_key, revoked });
  }
  return keys;
}

/** Returns the cookie of a new console session. */
export async function openSession(url: string, key: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/core/sessions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ api_key: key }),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`no session was opened: ${await answer.text()}`);
  return cookie.split(';')[0] ?? '';
}
