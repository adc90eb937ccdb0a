// The objects that rules and accounts of the demo refer to: address groups, categories, datasets, procedures, alarm groups.

import type { Client } from '#demo/connection.ts';
import {
  ADDRESS_GROUPS,
  ALARM_GROUPS,
  AUDIT_CATEGORIES,
  DATASETS,
  PROCEDURES,
  RULE_CATEGORIES,
  TICKET_REPOS,
  USER_GROUPS,
  USERS,
} from './guids.ts';

const ADDRESS_GROUP_LIST = [
  {
    guid: ADDRESS_GROUPS.blocked,
    name: '차단 목록',
    description: 'Addresses that have no business here',
    addresses: [
      { ip: '203.0.113.145', description: 'web scanner, 2026' },
      { ip: '198.51.100.192/28', description: '스팸 발송 대역' },
      { ip: '2001:db8:bad::/48', description: 'known botnet' },
    ],
  },
  {
    guid: ADDRESS_GROUPS.offices,
    name: '사무실 대역',
    description: 'Networks of the offices',
    addresses: [
      { ip: '10.0.8.0/24', description: '서울 본사' },
      { ip: 'fd00:10::/64', description: 'Busan' },
    ],
  },
  { guid: ADDRESS_GROUPS.attackers, name: '탐지된 공격자', description: 'Entered by rules, for a day', addresses: [] },
];

const CATEGORIES = [
  { guid: RULE_CATEGORIES.intrusion, name: '침입 시도', description: 'Attempts to get in' },
  { guid: RULE_CATEGORIES.reconnaissance, name: '정찰', description: 'Somebody is looking around' },
  { guid: RULE_CATEGORIES.web, name: '웹 공격', description: 'Attacks on web applications' },
  { guid: RULE_CATEGORIES.leak, name: '정보 유출', description: 'Data that leaves' },
];

const DATASET_LIST = [
  {
    guid: DATASETS.failedLogins,
    name: '실패한 로그인',
    description: 'Failed logins on all servers',
    query: 'table auth | search result == "failure"',
  },
  {
    guid: DATASETS.vpnLogins,
    name: 'VPN 로그인 실패',
    description: 'Of the VPN gateway that has been replaced',
    query: 'table auth | search host == "vpn-1" and result == "failure"',
  },
  {
    guid: DATASETS.errors,
    name: 'web-errors',
    description: 'Requests that the shop failed on',
    query: 'table web | search status >= 500',
  },
];

export async function makeObjects(kim: Client): Promise<void> {
  for (const { addresses, ...group } of ADDRESS_GROUP_LIST) {
    await kim.post('/address-groups', group);
    for (const address of addresses) await kim.post(`/address-groups/${group.guid}/addresses`, address);
  }
  for (const category of CATEGORIES) await kim.post('/rule-categories', category);
  await kim.post('/audit-categories', {
    guid: AUDIT_CATEGORIES.access,
    name: '접근 소명',
    description: 'Who, and why?',
  });
  for (const dataset of DATASET_LIST) {
    await kim.post('/datasets', { ...dataset, shared_users: [], shared_groups: [USER_GROUPS.soc] });
  }
  await kim.post('/procedures', {
    guid: PROCEDURES.busiest,
    name: 'busiest',
    description: '가장 많이 접속한 주소: the busiest sources of the shop',
    query: 'table web | stats count by src_ip | sort -count | limit $("n")',
    parameters: [{ key: 'n', name: 'How many', type: 'long' }],
    company_public: true,
  });
  await kim.post('/ticket-repos', {
    guid: TICKET_REPOS.soc,
    name: '보안관제',
    description: 'Tickets of the security team',
    shared_groups: [{ guid: USER_GROUPS.soc, read_only: false }],
  });
  await kim.post('/alarm-groups', {
    guid: ALARM_GROUPS.night,
    name: '야간 당직',
    description: 'Night shift',
    members: [
      { type: 'USER', guid: USERS.kim },
      { type: 'USER', guid: USERS.lee },
    ],
  });
}
