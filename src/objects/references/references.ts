// References to an object (7.2). Every kind with references has its lookups in the list below; the dry run of a removal calls
// them all.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Thing } from '#store/rows/resolve.ts';
import type { TicketTaskRow } from '#store/schema/event-schema.ts';
import type { Reference } from './reference-record.ts';
import type { Referrer } from './referrer.ts';
import { textReferrers } from './text-references.ts';

/** Targets of rules: the first segment of the path, and the term in messages. */
const RULE_TARGETS = {
  'address-groups': 'address group',
  'alarm-groups': 'alarm group',
  'audit-categories': 'audit category',
  datasets: 'dataset',
  'log-schemas': 'log schema',
  'logger-models': 'logger model',
  loggers: 'logger',
  'rule-categories': 'rule category',
  'ticket-repos': 'ticket repository',
  users: 'user',
} as const satisfies Readonly<Record<string, Thing>>;

const rulesReferring = (kind: 'batch' | 'stream'): Referrer[] =>
  Object.entries(RULE_TARGETS).map(([to, thing]) => ({
    kind: `${kind}-rule`,
    to,
    find: (db, keys) =>
      db
        .selectFrom('rule_references')
        .innerJoin('rules', (join) =>
          join.onRef('rules.kind', '=', 'rule_references.kind').onRef('rules.guid', '=', 'rule_references.guid'),
        )
        .select(['rule_references.object as id', 'rules.guid', 'rules.name', 'rule_references.field'])
        .where('rule_references.kind', '=', kind)
        .where('rule_references.thing', '=', thing)
        .where('rule_references.object', 'in', keys)
        .orderBy('rules.name')
        .orderBy('rule_references.field')
        .execute(),
  }));

const tasksReferring = (field: string, type: TicketTaskRow['task_type']): Referrer => ({
  kind: 'ticket',
  field,
  to: 'users',
  find: (db, keys) =>
    db
      .selectFrom('ticket_tasks')
      .innerJoin('tickets', 'tickets.guid', 'ticket_tasks.ticket_guid')
      .select(['ticket_tasks.user_guid as id', 'tickets.guid', 'tickets.title as name'])
      .where('task_type', '=', type)
      .where('user_guid', 'in', keys)
      .orderBy('tickets.title')
      .orderBy('tickets.id')
      .execute(),
});

/** In the order of references in responses. */
const REFERRERS: readonly Referrer[] = [
  ...rulesReferring('batch'),
  ...rulesReferring('stream'),
  {
    kind: 'logger',
    field: 'model_guid',
    to: 'logger-models',
    find: (db, keys) =>
      db
        .selectFrom('loggers')
        .select(['model_guid as id', 'guid', 'name'])
        .where('model_guid', 'in', keys)
        .orderBy('name')
        .execute(),
  },
  {
    kind: 'logger',
    field: 'group_guid',
    to: 'logger-groups',
    find: (db, keys) =>
      db
        .selectFrom('loggers')
        .select(['group_guid as id', 'guid', 'name'])
        .where('group_guid', 'in', keys)
        .$narrowType<{ id: string }>()
        .orderBy('name')
        .execute(),
  },
  {
    kind: 'logger',
    field: 'alarm_group_guid',
    to: 'alarm-groups',
    find: (db, keys) =>
      db
        .selectFrom('loggers')
        .select(['alarm_group_guid as id', 'guid', 'name'])
        .where('alarm_group_guid', 'in', keys)
        .$narrowType<{ id: string }>()
        .orderBy('name')
        .execute(),
  },
  modelsReferring('log-schemas', ({ log_schema_code }, code) => log_schema_code === code),
  {
    kind: 'logger-model',
    field: 'parser_code',
    to: 'parsers',
    find: (db, keys) =>
      db
        .selectFrom('logger_models')
        .select(['parser_code as id', 'guid', 'name'])
        .where('parser_code', 'in', keys)
        .orderBy('name')
        .execute(),
  },
  modelsReferring('parsers', ({ parser_code }, code) => parser_code === code),
  {
    kind: 'parser',
    field: 'schema_code',
    to: 'log-schemas',
    find: (db, keys) =>
      db
        .selectFrom('parsers')
        .select(['schema_code as id', 'code as guid', 'name'])
        .where('schema_code', 'in', keys)
        .$narrowType<{ id: string }>()
        .orderBy('name')
        .execute(),
  },
  modelsReferring('address-groups', ({ stream_query = '' }, guid) => stream_query.toLowerCase().includes(guid)),
  {
    kind: 'table',
    field: 'schema_code',
    to: 'log-schemas',
    // The key of a table is its name.
    find: (db, keys) =>
      db
        .selectFrom('log_tables')
        .select(['schema_code as id', 'name as guid', 'name'])
        .where('schema_code', 'in', keys)
        .$narrowType<{ id: string }>()
        .orderBy('name')
        .execute(),
  },
  {
    kind: 'table',
    field: 'alarm_group_guid',
    to: 'alarm-groups',
    find: (db, keys) =>
      db
        .selectFrom('log_tables')
        .select(['alarm_group_guid as id', 'name as guid', 'name'])
        .where('alarm_group_guid', 'in', keys)
        .$narrowType<{ id: string }>()
        .orderBy('name')
        .execute(),
  },
  {
    kind: 'table',
    field: 'shared_users',
    to: 'users',
    find: (db, keys) =>
      db
        .selectFrom('table_grants')
        .innerJoin('log_tables', 'log_tables.id', 'table_grants.table_id')
        .select(['holder_guid as id', 'log_tables.name as guid', 'log_tables.name'])
        .where('holder_kind', '=', 'user')
        .where('holder_guid', 'in', keys)
        .orderBy('log_tables.name')
        .execute(),
  },
  {
    kind: 'ticket',
    field: 'repo_guid',
    to: 'ticket-repos',
    find: (db, keys) =>
      db
        .selectFrom('tickets')
        .select(['repo_guid as id', 'guid', 'title as name'])
        .where('repo_guid', 'in', keys)
        .orderBy('title')
        .orderBy('id')
        .execute(),
  },
  tasksReferring('assignees', 'ASSIGNEE'),
  tasksReferring('approvers', 'APPROVER'),
  {
    kind: 'dataset',
    field: 'query_user_guid',
    to: 'users',
    find: (db, keys) =>
      db
        .selectFrom('datasets')
        .select(['query_user_guid as id', 'guid', 'name'])
        .where('query_user_guid', 'in', keys)
        .orderBy('name')
        .execute(),
  },
  {
    kind: 'procedure',
    field: 'owner_guid',
    to: 'users',
    find: (db, keys) =>
      db
        .selectFrom('procedures')
        .select(['owner_guid as id', 'guid', 'name'])
        .where('owner_guid', 'in', keys)
        .orderBy('name')
        .execute(),
  },
  ...textReferrers,
];

/** In the order of the keys. */
export async function referencesTo(db: Db, to: string, keys: readonly string[]): Promise<Reference[]> {
  const found: Reference[] = [];
  for (const { kind, field, find } of REFERRERS.filter((referrer) => referrer.to === to)) {
    const referring = await inChunks(keys, async (some) => [...(await find(db, some))]);
    found.push(
      ...referring.map(({ id, guid, name, ...own }) => ({ id, kind, guid, name, field: field ?? own.field ?? '' })),
    );
  }
  const distinct = new Map(found.map((reference) => [JSON.stringify(reference), reference]));
  const byId = Map.groupBy(distinct.values(), ({ id }) => id);
  return keys.flatMap((key) => byId.get(key) ?? []);
}

interface ModelRule {
  readonly log_schema_code: string;
  readonly parser_code?: string;
  readonly stream_query?: string;
}

/** Logger models with a rule that refers to one of the keys. */
function modelsReferring(to: string, refers: (rule: ModelRule, key: string) => boolean): Referrer {
  return {
    kind: 'logger-model',
    field: 'rules',
    to,
    async find(db, keys) {
      const models = await db
        .selectFrom('logger_models')
        .select(['guid', 'name', 'rules'])
        .where('rules', 'is not', null)
        .orderBy('name')
        .execute();
      return models.flatMap(({ guid, name, rules }) => {
        const kept: readonly ModelRule[] = JSON.parse(rules ?? '[]');
        return keys.filter((key) => kept.some((rule) => refers(rule, key))).map((id) => ({ id, guid, name }));
      });
    },
  };
}
