// Tables of the demo, with the schemas of their logs.

import type { Client } from '#demo/connection.ts';
import { SOURCES } from '#demo/logs/sources.ts';
import { TABLE_GROUPS, USER_GROUPS, USERS } from './guids.ts';

const field = (name: string, display_name: string, ko: string, type: string) => ({
  name,
  display_name,
  display_name_trans: { en: display_name, ko },
  type,
});

const SOURCE_IP = field('src_ip', 'Source address', '출발지 주소', 'IP');

const SCHEMAS = [
  {
    code: 'web-access',
    name: 'Web access',
    name_trans: { en: 'Web access', ko: '웹 접속' },
    description: 'Requests to web servers',
    fields: [
      SOURCE_IP,
      field('method', 'Method', '메서드', 'STRING'),
      field('path', 'Path', '경로', 'URL'),
      field('status', 'Status', '상태 코드', 'INT'),
      field('bytes', 'Bytes', '바이트', 'LONG'),
      field('agent', 'Agent', '사용자 에이전트', 'STRING'),
    ],
  },
  {
    code: 'firewall',
    name: 'Firewall',
    name_trans: { en: 'Firewall', ko: '방화벽' },
    description: 'Connections that a firewall let pass or not',
    fields: [
      field('action', 'Action', '처리', 'STRING'),
      SOURCE_IP,
      field('dst_ip', 'Destination address', '목적지 주소', 'IP'),
      field('dst_port', 'Destination port', '목적지 포트', 'PORT'),
      field('bytes', 'Bytes', '바이트', 'LONG'),
    ],
  },
  {
    code: 'login',
    name: 'Login',
    name_trans: { en: 'Login', ko: '로그인' },
    description: 'Attempts to log in, whether or not they succeed',
    fields: [
      field('host', 'Host', '서버', 'STRING'),
      field('user', 'User', '사용자', 'STRING'),
      SOURCE_IP,
      field('src_port', 'Source port', '출발지 포트', 'PORT'),
      field('result', 'Result', '결과', 'STRING'),
    ],
  },
];

const GROUPS = [
  { guid: TABLE_GROUPS.shop, name: 'hanbit_mall', description: '한빛몰: everything of the shop' },
  { guid: TABLE_GROUPS.edge, name: 'edge', description: '인터넷 구간', parent_guid: TABLE_GROUPS.shop },
  { guid: TABLE_GROUPS.servers, name: 'servers', description: '서버 구간', parent_guid: TABLE_GROUPS.shop },
];

const TABLES = [
  { table: 'web', schema_code: 'web-access', group_guid: TABLE_GROUPS.edge, retention: 90 },
  { table: 'firewall', schema_code: 'firewall', group_guid: TABLE_GROUPS.edge, retention: 30, compression: 'deflate' },
  { table: 'auth', schema_code: 'login', group_guid: TABLE_GROUPS.servers, retention: 365, layout: 'row' },
  { table: 'web_hourly', group_guid: TABLE_GROUPS.shop },
  { table: 'inbox', group_guid: TABLE_GROUPS.shop },
];

export async function makeTables(kim: Client): Promise<void> {
  for (const schema of SCHEMAS) await kim.post('/log-schemas', schema);
  for (const group of GROUPS) await kim.post('/table-groups', group);
  for (const table of TABLES) await kim.post('/tables', table);
  const readers = [{ guid: USER_GROUPS.soc, read_only: true }];
  for (const { table } of TABLES) await kim.put(`/tables/${table}`, { shared_groups: readers });
  for (const { name } of SOURCES) {
    await kim.put(`/tables/${name}`, { shared_users: [{ guid: USERS.feed, read_only: false }] });
  }
}
