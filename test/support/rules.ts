// Rules for tests: made, changed and read over HTTP alone, with an object of every kind that they may refer to.

import { newGuid } from '#kernel/guid.ts';
import { created } from './accounts.ts';
import type { Reply, Service, Wire } from './service.ts';
import { refused } from './suites.ts';

type Caller = Pick<Service, 'call'>;
export type Kind = 'batch' | 'stream';
export type Fields = Readonly<Record<string, string>>;
export const KINDS: readonly Kind[] = ['batch', 'stream'];
export const NOWHERE = '00000000-0000-4000-8000-000000000000';
export const FREE_CONDITION = '[{"template_id":1,"query":"search user == \\"kim\\""}]';

export const rulesOf = (kind: Kind): string => `/api/core/${kind}-rules`;
export const illegal = (message: string) => refused(500, 'illegal-state', message);

/** What must be given. The schema `least` is to be made first, with `createSchema`. */
export const MINIMAL: Readonly<Record<Kind, Fields>> = {
  batch: { priority: 'HIGH', msg: 'found $user', schedule: '0 0 1 1 *', query: 'json "{a:1}"' },
  stream: { priority: 'HIGH', msg: 'found $user', schema_code: 'least', commands: FREE_CONDITION },
};

export async function createSchema(service: Caller, code: string): Promise<void> {
  const form = { code, name: code, fields: '[{"name":"user","type":"STRING"},{"name":"ip","type":"IP"}]' };
  succeeded(await service.call('POST', '/api/core/log-schemas', { form }));
}

/** The guid of a new rule with a name of its own, unless `fields` say otherwise. */
export const createRule = (service: Caller, kind: Kind, fields: Fields = {}): Promise<string> =>
  created(service, rulesOf(kind), { ...MINIMAL[kind], name: `rule ${newGuid()}`, ...fields });

export async function updateRule(service: Caller, kind: Kind, guid: string, fields: Fields): Promise<void> {
  const form = { ...MINIMAL[kind], ...fields };
  succeeded(await service.call('PUT', `${rulesOf(kind)}/${guid}`, { form }));
}

export async function ruleOf(service: Caller, kind: Kind, guid: string): Promise<Wire> {
  return (await service.call('GET', `${rulesOf(kind)}/${guid}`)).json.rule;
}

/** Newest first. */
export async function versionsOf(service: Caller, kind: Kind, guid: string): Promise<Wire[]> {
  return (await service.call('GET', `${rulesOf(kind)}/${guid}/versions`)).json.versions;
}

export async function versionOf(service: Caller, kind: Kind, guid: string, version: number): Promise<Wire> {
  return (await service.call('GET', `${rulesOf(kind)}/${guid}/versions/${version}`)).json.version;
}

export const restored = (service: Caller, kind: Kind, guid: string, version: number | string, query = '') =>
  service.call('POST', `${rulesOf(kind)}/${guid}/versions/${version}/restore${query}`);

export async function removeRules(service: Caller, kind: Kind, ...guids: string[]): Promise<void> {
  succeeded(await service.call('DELETE', rulesOf(kind), { form: { guids: guids.join(',') } }));
}

/** An object that a rule refers to. */
export interface Referred {
  /** How the published failures of a restore name it. */
  readonly identifier: string;
  readonly field: string;
  readonly names: string;
  /** In messages. */
  readonly thing: string;
  readonly key: string;
  readonly name: string;
  /** What a failure tells of it. */
  readonly value: string;
  readonly path: string;
}

/** One object for each field of the kind, in the order in which the contract names the identifiers. */
export async function createReferred(service: Caller, kind: Kind): Promise<Referred[]> {
  const mark = newGuid().slice(0, 8);
  const made: Referred[] = [];
  const logger = kind === 'stream' ? await loggerFields(service, mark) : {};
  for (const [identifier, field, names, thing, path, fields] of referable(kind, mark, logger)) {
    const name = `${identifier} ${mark}`;
    const form = { name, ...fields };
    const answer = succeeded(await service.call('POST', path, { form }));
    const key = answer.json.code ?? answer.json.guid;
    made.push({ identifier, field, names, thing, path, key, name, value: identifier === 'schema' ? key : name });
  }
  return made;
}

/** The fields of a rule that refers to them; the query of a batch rule goes on with what its dataset gives. */
export function referring(referred: readonly Referred[]): Fields {
  const fields = Object.fromEntries(referred.map(({ field, key }) => [field, key]));
  return 'dataset_guid' in fields ? { ...fields, query: 'search a == 1' } : fields;
}

export async function removeReferred(service: Caller, { path, key, identifier }: Referred): Promise<void> {
  const form = identifier === 'schema' ? { codes: key } : { guids: key };
  const answer = succeeded(await service.call('DELETE', path, { form }));
  if (answer.json.failures.length > 0) throw new Error(`not removed: ${answer.text}`);
}

/** The table and the model that a logger needs; the rule refers to another model. */
async function loggerFields(service: Caller, mark: string): Promise<Fields> {
  succeeded(await service.call('POST', '/api/core/tables', { form: { table: `t${mark}` } }));
  const model_guid = await created(service, '/api/core/logger-models', { name: `other ${mark}`, ...HTTP_MODEL });
  return { table_name: `t${mark}`, model_guid };
}

const HTTP_MODEL: Fields = { logger_factory_name: 'http', parser_code: 'json' };

type Referable = readonly [string, string, string, string, string, Fields];

function referable(kind: Kind, mark: string, logger: Fields): Referable[] {
  const user = (login: string): Fields => ({ login: `${login}-${mark}`, role: 'MEMBER' });
  const users = '/api/core/users';
  const repo: Referable = [
    'ticket_repo',
    'ticket_repo_guid',
    'ticket_repo_name',
    'ticket repository',
    '/api/core/ticket-repos',
    {},
  ];
  const group: Referable = [
    'address_group',
    'address_group_guid',
    'address_group_name',
    'address group',
    '/api/core/address-groups',
    {},
  ];
  const category = (identifier: string): Referable => [
    identifier,
    'category_guid',
    'category_name',
    'rule category',
    '/api/core/rule-categories',
    {},
  ];
  const common: Referable[] = [
    [
      'audit_category',
      'audit_category_guid',
      'audit_category_name',
      'audit category',
      '/api/core/audit-categories',
      {},
    ],
    ['reviewer', 'reviewer_guids', 'reviewer_names', 'user', users, user('reviewer')],
    ['auditor', 'auditor_guid', 'auditor_name', 'user', users, user('auditor')],
    ['alarm_group', 'alarm_group_guid', 'alarm_group_name', 'alarm group', '/api/core/alarm-groups', {}],
  ];
  const assignee: Referable = [
    'ticket_assignee',
    'ticket_assignee_guids',
    'ticket_assignee_names',
    'user',
    users,
    user('assignee'),
  ];
  if (kind === 'batch') {
    const query = { query: 'json "{a:1}"', shared_users: '[]', shared_groups: '[]' };
    const dataset: Referable = ['dataset', 'dataset_guid', 'dataset_name', 'dataset', '/api/core/datasets', query];
    return [repo, group, category('category'), dataset, ...common, assignee];
  }
  const fields = { code: `code-${mark}`, fields: '[{"name":"user","type":"STRING"}]' };
  return [
    ['schema', 'schema_code', 'schema_name', 'log schema', '/api/core/log-schemas', fields],
    repo,
    group,
    category('rule_category'),
    ...common,
    ['logger', 'logger_guids', 'logger_names', 'logger', '/api/core/loggers', logger],
    ['logger_model', 'logger_model_guids', 'logger_model_names', 'logger model', '/api/core/logger-models', HTTP_MODEL],
    assignee,
  ];
}

export function succeeded(answer: Reply): Reply {
  if (answer.status !== 200) throw new Error(`refused: ${answer.text}`);
  return answer;
}
