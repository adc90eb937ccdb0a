// Stream rules of the demo: they evaluate logs on arrival, those of its first day included.

import type { Client } from '#demo/connection.ts';
import {
  ADDRESS_GROUPS,
  ALARM_GROUPS,
  LOGGERS,
  MODELS,
  RULE_CATEGORIES,
  STREAM_RULES,
  TICKET_REPOS,
  USERS,
} from './guids.ts';

const COMMON = {
  enabled: true,
  suppress_key: '$src_ip',
  event_suppress_interval: 3600,
  alarm_group_guid: ALARM_GROUPS.night,
};

const INJECTION = {
  ...COMMON,
  name: 'SQL 삽입 시도',
  description: 'SQL in what was asked for',
  msg: '$src_ip: $path',
  priority: 'HIGH',
  category_guid: RULE_CATEGORIES.web,
  schema_code: 'web-access',
  mitre_techniques: ['T1190'],
  ticket_issue_cond: 'ALWAYS',
  ticket_repo_guid: TICKET_REPOS.soc,
  ticket_assignee_guids: [USERS.lee],
  ticket_suppress_interval: 86_400,
};

const holds = (text: string) => ({ template_id: 9, field_name: 'path', args: { text } });

/** Versions of a rule: the first is created, the others change it. */
const RULES: readonly { readonly guid: string; readonly versions: readonly object[] }[] = [
  {
    guid: STREAM_RULES.injection,
    versions: [
      { ...INJECTION, logger_guids: [LOGGERS.retired], commands: [holds('union')], comment: 'old web server only' },
      { ...INJECTION, commands: [holds('union')], comment: '모든 웹 서버' },
      { ...INJECTION, commands: [holds('union select')], comment: 'fewer false alarms' },
    ],
  },
  {
    guid: STREAM_RULES.blocked,
    versions: [
      {
        ...COMMON,
        name: '차단 목록의 주소',
        description: 'An address of the block list was let in',
        msg: '$src_ip was let in to $dst_ip:$dst_port',
        priority: 'MEDIUM',
        category_guid: RULE_CATEGORIES.intrusion,
        schema_code: 'firewall',
        commands: [
          { template_id: 4, field_name: 'action', args: { values: ['allow'] } },
          { template_id: 3, field_name: 'src_ip', args: { subnet: ADDRESS_GROUPS.blocked } },
        ],
      },
    ],
  },
  {
    guid: STREAM_RULES.outflow,
    versions: [
      {
        ...COMMON,
        name: '대량 반출',
        description: 'More than a gigabyte leaves at once',
        msg: '$src_ip sent $bytes bytes to $dst_ip',
        priority: 'HIGH',
        category_guid: RULE_CATEGORIES.leak,
        schema_code: 'firewall',
        source_type: 'LOGGER_MODEL',
        logger_model_guids: [MODELS.firewall],
        mitre_techniques: ['T1048'],
        commands: [{ template_id: 8, field_name: 'bytes', args: { number: 1_000_000_000 } }],
      },
    ],
  },
];

export async function makeStreamRules(kim: Client): Promise<void> {
  for (const { guid, versions } of RULES) {
    const [first, ...later] = versions;
    await kim.post('/stream-rules', { guid, ...first });
    for (const version of later) await kim.put(`/stream-rules/${guid}`, version);
  }
  await kim.remove('/loggers', { guids: [LOGGERS.retired] });
}
