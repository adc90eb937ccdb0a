// Batch rules of the demo. Each runs once by hand over the whole day, and then over the last minutes.

import type { Client } from '#demo/connection.ts';
import { waitUntil } from '#demo/wait-until.ts';
import {
  ADDRESS_GROUPS,
  ALARM_GROUPS,
  AUDIT_CATEGORIES,
  BATCH_RULES,
  DATASETS,
  RULE_CATEGORIES,
  TICKET_REPOS,
  USERS,
} from './guids.ts';

const DAY = 86_400;

/** The fields that all versions share. */
const COMMON = {
  enabled: true,
  schedule: '*/5 * * * *',
  suppress_key: '$src_ip',
  event_suppress_interval: 3600,
  alarm_group_guid: ALARM_GROUPS.night,
};

const INTO_ATTACKERS = {
  address_group_guid: ADDRESS_GROUPS.attackers,
  address_field: 'src_ip',
  blacklist_expire_minute: 1440,
};

const TICKETED = {
  ticket_issue_cond: 'ALWAYS',
  ticket_repo_guid: TICKET_REPOS.soc,
  ticket_assignee_guids: [USERS.lee],
  ticket_suppress_interval: DAY,
};

const guesses = (least: number) =>
  `stats min(_time) as _time, count as failures, dc(user) as users by src_ip | search failures >= ${least}`;

const BRUTE = {
  ...COMMON,
  ...INTO_ATTACKERS,
  ...TICKETED,
  name: 'SSH 무차별 대입',
  description: 'Many failed logins from one address',
  msg: '$src_ip 에서 로그인 $failures 회 실패 (계정 $users 개)',
  priority: 'HIGH',
  category_guid: RULE_CATEGORIES.intrusion,
  mitre_techniques: ['T1110.001'],
  audit_category_guid: AUDIT_CATEGORIES.access,
  reviewer_guids: [USERS.lee],
  auditor_guid: USERS.park,
  field_order: '_time,src_ip,failures,users',
};

/** Versions of a rule: the first is created, the others change it. It is run by hand in the last but one. */
const RULES: readonly { readonly guid: string; readonly versions: readonly object[] }[] = [
  {
    guid: BATCH_RULES.brute,
    versions: [
      { ...BRUTE, enabled: false, dataset_guid: DATASETS.vpnLogins, query: guesses(50), comment: 'VPN gateway only' },
      { ...BRUTE, dataset_guid: DATASETS.failedLogins, query: guesses(20), duration: DAY, comment: '모든 서버로 확대' },
      { ...BRUTE, dataset_guid: DATASETS.failedLogins, query: guesses(20), duration: 900, comment: 'last 15 minutes' },
    ],
  },
  ...[
    {
      guid: BATCH_RULES.scan,
      name: '포트 스캔',
      description: 'One address tries many ports',
      msg: '$src_ip tried $ports ports',
      priority: 'MEDIUM',
      category_guid: RULE_CATEGORIES.reconnaissance,
      mitre_techniques: ['T1046'],
      query:
        'table firewall | search action == "deny" | stats min(_time) as _time, dc(dst_port) as ports, count as packets by src_ip | search ports >= 100',
    },
    {
      guid: BATCH_RULES.probes,
      name: 'Web scanner',
      description: '존재하지 않는 페이지를 찾는 주소',
      msg: '$src_ip asked for $paths pages that are not there',
      priority: 'MEDIUM',
      category_guid: RULE_CATEGORIES.web,
      mitre_techniques: ['T1595.002'],
      query:
        'table web | search status == 404 | stats min(_time) as _time, dc(path) as paths, count as misses by src_ip | search misses >= 100',
      ...TICKETED,
    },
    {
      guid: BATCH_RULES.broken,
      name: '무차별 대입 후 로그인 성공',
      description: 'A login that succeeded after many that had not',
      msg: '$user logged in to $host from $src_ip after $failures failures',
      priority: 'HIGH',
      category_guid: RULE_CATEGORIES.intrusion,
      mitre_techniques: ['T1078'],
      query: `table auth | search result == "success" | join src_ip [ table auth | search result == "failure" | stats count as failures by src_ip | search failures >= 20 ]`,
      ...TICKETED,
      ticket_assignee_guids: [USERS.lee, USERS.kim],
    },
  ].map(({ guid, ...fields }) => ({
    guid,
    versions: [
      { ...COMMON, ...INTO_ATTACKERS, ...fields, duration: DAY },
      { ...COMMON, ...INTO_ATTACKERS, ...fields, duration: 900, comment: 'last 15 minutes' },
    ],
  })),
];

/** Resolves when their events exist. */
export async function makeBatchRules(kim: Client): Promise<void> {
  for (const { guid, versions } of RULES) {
    for (const [at, version] of versions.entries()) {
      if (at === 0) await kim.post('/batch-rules', { guid, ...version });
      else await kim.put(`/batch-rules/${guid}`, version);
      if (at === versions.length - 2) await runOnce(kim, guid);
    }
  }
  await kim.remove('/datasets', { guids: [DATASETS.vpnLogins] });
}

async function runOnce(kim: Client, guid: string): Promise<void> {
  // Refused while a scheduled run of the rule is active, which finds the same.
  await kim.ask('POST', `/batch-rules/${guid}/run`);
  const events = () => kim.get<{ total_count: number }>(`/events?limit=0&rule_guids=${guid}`);
  await waitUntil(async () => (await events()).total_count > 0);
}
