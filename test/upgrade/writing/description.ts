// What a fixture holds, as its version returns it: answers to queries and all objects.

import type { Client } from '#demo/connection.ts';
import type { FixtureObject, FixtureQuery } from '#test/upgrade/fixtures.ts';
import { ADDRESS_GROUPS, BATCH_RULE, LOOKUP, SCHEDULES, STREAM_RULES, TICKET, USERS } from './guids.ts';
import { FORMS } from './logs.ts';
import type { Home } from './old-service.ts';

/** Tables of both compressions together. */
const GROUPS = [...new Set(FORMS.map(({ protection, layout }) => `${protection}_${layout}_*`))];

/** One group of each protection, and both layouts: all rows of the others are compared too. */
const READ_IN_DETAIL = ['plain_row_*', 'authenticated_columnar_*', 'encrypted_columnar_*'];

const FORM_QUERIES = [
  ...GROUPS.map((tables) => `table ${tables} | sort _table, n`),
  ...READ_IN_DETAIL.flatMap((tables) => [
    `table from=20240228 to=20240229 ${tables} | stats count, sum(n) as total, min(n) as first, max(n) as last by _table | sort _table`,
    `table ${tables} | stats count by value | sort count, value`,
    `table ${tables} | search big > 9007199254740992 | sort _table, n | fields n, big`,
    `table ${tables} | search isnotnull(field("a b")) | sort _table, n | fields n, field("a b"), with.dot, field("필드 이름"), Case, case`,
    `fulltext "실패" from ${tables} | sort _table, n | fields _table, _time, n, line`,
  ]),
];

const QUERIES = [
  ...FORM_QUERIES,
  'table busy | timechart span=1h count, sum(bytes) as bytes',
  'table busy | stats count, dc(bytes) as sizes, sum(bytes) as bytes by path, status | sort path, status',
  'table busy | search late == true | sort n',
  'table to=20240229 busy | sort n',
  'table order=asc limit=5 busy | fields _id, _time, n',
  'fulltext "상품" from busy | stats count',
  'table wide | sort n',
  ...['nested', 'nested_encrypted'].flatMap((table) => [
    `table ${table} | sort n | limit 60`,
    `table ${table} | eval app = valueof(valueof(valueof(kubernetes, "pod"), "labels"), "app") | stats count by app | sort app`,
    `table ${table} | search valueof(valueof(valueof(kubernetes, "pod"), "labels"), "tier") == 1 | stats count, sum(n) as total`,
    `table ${table} | search isnotnull(odd) | sort n | fields n, odd, tags`,
  ]),
  'table auth | sort src_port | fields _schema, user, src_ip, src_port, result, line',
  'table cards | sort card | fields card, amount',
  // Runs after the records that are not sealed count one log more.
  'table summary | search logs == 1645 | stats count',
  'lookuptable people',
  'table auth | sort src_port | lookup people user output dept, field("층") as floor | fields user, dept, floor',
  'proc busiest(2)',
];

export async function answerQueries(master: Client): Promise<readonly FixtureQuery[]> {
  const answers: FixtureQuery[] = [];
  for (const q of QUERIES) {
    const { status, text } = await master.ask('GET', `/query?q=${encodeURIComponent(q)}`);
    if (status !== 200) throw new Error(`${q}: ${text}`);
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length === 0) throw new Error(`${q} has no rows`);
    answers.push({ q, lines });
  }
  return answers;
}

/** Lists of objects: path, name of the list, and the member that addresses one of them. */
const LISTS: readonly (readonly [path: string, list: string, key: string])[] = [
  ['companies', 'companies', 'guid'],
  ['users', 'users', 'guid'],
  ['user-groups', 'user_groups', 'guid'],
  ['crypto-profiles', 'profiles', 'guid'],
  ['connection-profiles', 'connection_profiles', 'guid'],
  ['table-groups', 'table_groups', 'guid'],
  ['log-schemas', 'schemas', 'code'],
  ['parsers', 'parsers', 'code'],
  ['logger-models', 'logger_models', 'guid'],
  ['logger-groups', 'logger_groups', 'guid'],
  ['loggers', 'loggers', 'guid'],
  ['lookups', 'lookups', 'guid'],
  ['procedures', 'procedures', 'guid'],
  ['datasets', 'datasets', 'guid'],
  ['dashboards', 'dashboards', 'guid'],
  ['alarm-groups', 'alarm_groups', 'guid'],
  ['address-groups', 'address_groups', 'guid'],
  ['rule-categories', 'rule_categories', 'guid'],
  ['audit-categories', 'audit_categories', 'guid'],
  ['ticket-repos', 'ticket_repos', 'guid'],
  ['batch-rules', 'rules', 'guid'],
  ['stream-rules', 'rules', 'guid'],
  ['scheduled-queries', 'scheduled_queries', 'guid'],
  ['events', 'events', 'guid'],
  ['tickets', 'tickets', 'guid'],
];

/** Parts of objects, and objects without a list. */
const PARTS = [
  '/preferences',
  `/users/${USERS.admin}/api-keys`,
  `/lookups/${LOOKUP}/rows`,
  `/address-groups/${ADDRESS_GROUPS.blocked}/addresses`,
  `/address-groups/${ADDRESS_GROUPS.found}/addresses`,
  `/batch-rules/${BATCH_RULE}/versions`,
  `/batch-rules/${BATCH_RULE}/slots`,
  `/stream-rules/${STREAM_RULES.logins}/versions`,
  `/stream-rules/${STREAM_RULES.logins}/versions/1`,
  `/scheduled-queries/${SCHEDULES.counts}/slots`,
  `/scheduled-queries/${SCHEDULES.follower}/slots`,
  `/tickets/${TICKET}/comments`,
];

export async function readObjects(
  master: Client,
  { tables, logs }: { readonly tables: readonly string[] } & Pick<Home, 'logs'>,
): Promise<readonly FixtureObject[]> {
  const paths: string[] = [];
  for (const [path, list, key] of LISTS) {
    const listed = (await master.get<Record<string, Record<string, unknown>[]>>(`/${path}?limit=1000`))[list];
    if (listed === undefined || listed.length === 0) throw new Error(`there are no ${path}`);
    paths.push(...listed.map((item) => `/${path}/${item[key]}`));
  }
  paths.push(...PARTS, ...tables.map((table) => `/tables/${table}`));
  const objects: FixtureObject[] = [];
  for (const path of paths) {
    const answer = await master.get<Answer>(path);
    objects.push({ path: `/api/core${path}`, answer: logs === undefined ? answer : withoutSizes(answer) });
  }
  return objects;
}

interface Answer {
  readonly table?: Readonly<Record<string, unknown>>;
}

/** Without the sizes of a table and its share of all sizes: ClickHouse merges parts at any time. */
function withoutSizes({ table, ...answer }: Answer): Answer {
  if (table === undefined) return answer;
  const { table_size, index_size, ratio, node_stats, ...lasting } = table;
  return { ...answer, table: lasting };
}
