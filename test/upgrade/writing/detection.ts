// Rules, schedules, tickets and uploads of a fixture: they have run, and they go on where the fixture is opened.

import { toStamp } from '#contract/times.ts';
import type { Client } from '#demo/connection.ts';
import type { FixtureRule, FixtureUpload } from '#test/upgrade/fixtures.ts';
import {
  ADDRESS_GROUPS,
  ALARM_GROUP,
  AUDIT_CATEGORY,
  BATCH_RULE,
  DATASET,
  LOGGERS,
  RULE_CATEGORY,
  SCHEDULES,
  STREAM_RULES,
  TICKET,
  TICKET_REPO,
  USERS,
} from './guids.ts';
import { until } from './logs.ts';

const TICKETED = {
  ticket_issue_cond: 'ALWAYS',
  ticket_repo_guid: TICKET_REPO,
  ticket_assignee_guids: [USERS.member],
  ticket_suppress_interval: 86_400,
};

const COMMON = {
  enabled: true,
  category_guid: RULE_CATEGORY,
  alarm_group_guid: ALARM_GROUP,
  event_suppress_interval: 3600,
};

const FAILED_LOGINS = {
  ...COMMON,
  ...TICKETED,
  guid: BATCH_RULE,
  name: '무차별 대입',
  msg: '$src_ip 에서 로그인 실패',
  priority: 'HIGH',
  schedule: '* * * * *',
  suppress_key: '$src_ip',
  dataset_guid: DATASET,
  query: 'stats min(_time) as _time, count as failures by src_ip',
  address_group_guid: ADDRESS_GROUPS.found,
  address_field: 'src_ip',
  audit_category_guid: AUDIT_CATEGORY,
  reviewer_guids: [USERS.member],
  auditor_guid: USERS.admin,
};

const BLOCKED = {
  ...COMMON,
  guid: STREAM_RULES.logins,
  name: '차단 목록의 주소',
  msg: '$user from $src_ip',
  priority: 'MEDIUM',
  schema_code: 'login',
  logger_guids: [LOGGERS.auth],
  commands: [{ template_id: 3, field_name: 'src_ip', args: { subnet: ADDRESS_GROUPS.blocked } }],
};

const CARDS = {
  ...COMMON,
  ...TICKETED,
  guid: STREAM_RULES.cards,
  name: '카드 사용',
  msg: 'card $card was used',
  priority: 'LOW',
  schema_code: 'card',
  suppress_key: '$card',
  commands: [{ template_id: 9, field_name: 'card', args: { text: '4556' } }],
};

const LOGIN_LINES = [
  'Mar  1 09:00:01 bastion sshd[7]: Failed password for root from 203.0.113.9 port 50001 ssh2',
  'Mar  1 09:00:02 bastion sshd[7]: Failed password for root from 203.0.113.9 port 50002 ssh2',
  'Mar  1 09:00:03 bastion sshd[8]: Failed password for backup from 198.51.100.200 port 50003 ssh2',
  'Mar  1 09:00:04 bastion sshd[9]: Accepted publickey for kim from 10.0.8.7 port 50004 ssh2',
];
const CARD_LINES = ['{"card":"4556-1111","amount":12000}', '{"card":"1234-0000","amount":0.5}'];

/** Creates the rules, some with a second version, and pushes logs that raise events, tickets and alarms. */
export async function writeDetection(master: Client): Promise<void> {
  for (const rule of [BLOCKED, CARDS]) await master.post('/stream-rules', { ...rule, comment: '첫 판' });
  await master.put(`/stream-rules/${BLOCKED.guid}`, { ...BLOCKED, suppress_key: '$src_ip', comment: 'by address' });
  await pushTo(master, LOGGERS.auth, 'text/plain', LOGIN_LINES);
  await pushTo(master, LOGGERS.cards, 'application/x-ndjson', CARD_LINES);
  await master.post('/batch-rules', FAILED_LOGINS);
  await master.ask('POST', `/batch-rules/${BATCH_RULE}/run`);
  const count = async () => (await master.get<{ total_count: number }>('/events?limit=0')).total_count;
  await until(async () => (await count()) === 4);
}

async function pushTo(master: Client, logger: string, type: string, lines: readonly string[]): Promise<void> {
  const reply = await master.ask('POST', `/loggers/${logger}/logs`, {
    headers: { 'content-type': type },
    body: lines.join('\n'),
  });
  if (reply.status !== 200) throw new Error(`${logger} did not accept lines: ${reply.text}`);
}

/** Sets the status of an event and works on tickets. */
export async function writeTickets(master: Client, member: Client): Promise<void> {
  const { events } = await master.get<{ events: { guid: string }[] }>(`/events?rule_guids=${STREAM_RULES.logins}`);
  await master.put('/events/status', { guids: events.map(({ guid }) => guid), status: 'closed', reason: '오탐' });
  const { tickets } = await member.get<{ tickets: { guid: string }[] }>('/tickets');
  for (const { guid } of tickets) await member.post(`/tickets/${guid}/comments`, { content: '확인 중 — looking' });
  await master.post('/tickets', {
    guid: TICKET,
    repo_guid: TICKET_REPO,
    title: '분기 계정 점검',
    priority: 1,
    format: 'MARKDOWN',
    content: '- 퇴사자 계정',
    assignees: [USERS.member],
    approvers: [USERS.admin],
  });
  await member.put(`/tickets/${TICKET}/assignee-status`, { status: 'IN_PROGRESS' });
}

const EVERY_MINUTE = { trigger_type: 'cron', cron_schedule: '* * * * *', enabled: true };
const FOLLOWS = {
  trigger_type: 'workflow',
  preceding_guid: SCHEDULES.counts,
  preceding_action: 'succeeded',
  enabled: true,
};

/** Creates scheduled queries and runs the slots of three minutes of the past and one by hand. */
export async function writeSchedules(master: Client): Promise<void> {
  const query = 'table busy | stats count as logs | import summary';
  await master.post('/scheduled-queries', {
    guid: SCHEDULES.counts,
    name: '분별 집계',
    query,
    output_parameter: true,
    ...EVERY_MINUTE,
  });
  await master.post('/scheduled-queries', {
    guid: SCHEDULES.follower,
    name: 'verdict',
    query: 'json "{}" | eval logs = $("logs")',
    ...FOLLOWS,
  });
  // Slots older than the setting `scheduler-slots-kept` would be removed.
  const range = { from: stampBefore({ minutes: 12 }), to: stampBefore({ minutes: 9 }) };
  await master.post(`/scheduled-queries/${SCHEDULES.counts}/backfill`, range);
  await untilRunsEnded(master);
}

const stampBefore = (length: Temporal.DurationLike): string => toStamp(Temporal.Now.instant().subtract(length), 'UTC');

/** Resolves when scheduled queries have run and none is running. */
export const untilRunsEnded = (master: Client): Promise<void> =>
  until(async () => {
    const lists = Object.values(SCHEDULES).map((guid) =>
      master.get<{ slots: { state: string | null }[] }>(`/scheduled-queries/${guid}/slots`),
    );
    const states = (await Promise.all(lists)).flatMap(({ slots }) => slots.map(({ state }) => state));
    return states.filter((state) => state === 'succeeded').length >= 4 && !states.includes('running');
  });

const LATEST_SECOND = 25;

/** Schedules run at full minutes, and must not run between the description of the installation and its end. */
export const untilEarlyInMinute = (): Promise<void> =>
  until(() => Temporal.Now.zonedDateTimeISO('UTC').second < LATEST_SECOND);

export const RULES: readonly FixtureRule[] = [
  {
    path: 'batch-rules',
    guid: BATCH_RULE,
    table: 'auth',
    record: { result: 'failure', src_ip: '192.0.2.77' },
    msg: '192.0.2.77 에서 로그인 실패',
  },
  {
    path: 'stream-rules',
    guid: STREAM_RULES.cards,
    table: 'cards',
    record: { card: '4556-2222' },
    msg: 'card 4556-2222 was used',
  },
];

/** Opens an upload into each table and sends half of it. */
export async function writeUploads(master: Client, tables: readonly string[]): Promise<readonly FixtureUpload[]> {
  return await Promise.all(tables.map((table) => openUpload(master, table)));
}

async function openUpload(master: Client, table: string): Promise<FixtureUpload> {
  const source = `upload of ${table}`;
  const lines = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({ _time: '2024-02-29 12:00:00+0000', source, n, 글: '업로드' }),
  );
  const file = Buffer.from(`${lines.join('\n')}\n`);
  const metadata = { table, note: '이전 서버' };
  const { token } = await master.post<{ token: string }>('/upload-streams', {
    file_name: 'old.ndjson',
    file_size: file.length,
    metadata,
  });
  // In the middle of a line, between two ASCII characters.
  const offset = file.indexOf('_time', file.length / 2) + 2;
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  const sent = await master.ask('PATCH', `/upload-streams/${token}`, { headers, body: file.subarray(0, offset) });
  if (sent.status !== 204) throw new Error(`the upload was refused: ${sent.text}`);
  return { token, table, offset, rest: file.subarray(offset).toString(), rows: lines.length, source };
}
