// The audited operations of objects that are no family.

import { created } from './accounts.ts';
import { type AuditedCall, type Caller, CORE, type Form, mark, type Target } from './audited-call.ts';

const USERS = `${CORE}/users`;
async function user(service: Caller): Promise<Target> {
  const name = `u_${mark()}`;
  return { key: await created(service, USERS, { login: name, name, role: 'MEMBER' }), name };
}

export const userCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${USERS}`,
    keyAs: 'guid',
    kind: 'made',
    target: async () => ({ key: '', name: `u_${mark()}` }),
    path: () => USERS,
    form: ({ name }) => ({ login: name, name, role: 'MEMBER' }),
    wrong: {},
  },
  {
    operation: `PUT ${USERS}/:guid`,
    keyAs: 'guid',
    kind: 'changed',
    target: user,
    path: ({ key }) => `${USERS}/${key}`,
    form: ({ name }) => ({ name: `${name}2` }),
    wrong: { role: 'x' },
    also: ({ name }) => ({ new_name: `${name}2` }),
  },
  {
    operation: `DELETE ${USERS}`,
    keyAs: 'guid',
    kind: 'several',
    target: user,
    path: () => USERS,
    form: ({ key }) => ({ guids: `${key},00000000-0000-4000-8000-000000000000` }),
    wrong: {},
  },
  {
    operation: `POST ${USERS}/:guid/api-keys`,
    keyAs: 'key_guid',
    kind: 'made',
    async target(service) {
      const { key, name } = await user(service);
      return { key, within: key, name };
    },
    path: ({ within }) => `${USERS}/${within}/api-keys`,
    form: ({ name }) => ({ name }),
    wrong: {},
    also: ({ within, name }) => ({ guid: within, user_name: name }),
  },
  {
    operation: `DELETE ${USERS}/:guid/api-keys/:key_guid`,
    keyAs: 'key_guid',
    kind: 'changed',
    async target(service) {
      const { key: within, name } = await user(service);
      const { json } = await service.call('POST', `${USERS}/${within}/api-keys`, { form: { name } });
      return { key: json.guid, within, name };
    },
    path: ({ key, within }) => `${USERS}/${within}/api-keys/${key}`,
    also: ({ within, name }) => ({ guid: within, user_name: name }),
  },
];

const GROUPS = `${CORE}/address-groups`;
async function addressGroup(service: Caller): Promise<Target> {
  const name = `a_${mark()}`;
  const within = await created(service, GROUPS, { name });
  return { key: within, within, name };
}

export const addressCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${GROUPS}/:guid/addresses`,
    keyAs: 'guid',
    kind: 'made',
    async target(service) {
      return { ...(await addressGroup(service)), name: '10.0.0.1' };
    },
    path: ({ within }) => `${GROUPS}/${within}/addresses`,
    form: () => ({ ip: '10.0.0.1' }),
    wrong: { ip: 'x' },
    also: ({ within }) => ({ group_guid: within }),
  },
  {
    operation: `DELETE ${GROUPS}/:guid/addresses`,
    keyAs: 'guid',
    kind: 'several',
    async target(service) {
      const { within } = await addressGroup(service);
      const { json } = await service.call('POST', `${GROUPS}/${within}/addresses`, { form: { ip: '10.0.0.2' } });
      return { key: json.guid, name: '10.0.0.2', ...(within === undefined ? {} : { within }) };
    },
    path: ({ within }) => `${GROUPS}/${within}/addresses`,
    form: ({ key }) => ({ guids: `${key},00000000-0000-4000-8000-000000000000` }),
    wrong: {},
    also: ({ within }) => ({ guid: within }),
  },
];

const LOGGERS = `${CORE}/loggers`;
async function logger(service: Caller, fields: Form = {}): Promise<Target> {
  const name = `l_${mark()}`;
  const form = { name, logger_factory_name: 'http', parser_code: 'json' };
  const model_guid = await created(service, `${CORE}/logger-models`, form);
  await service.call('POST', `${CORE}/tables`, { form: { table: name } });
  return {
    key: await created(service, LOGGERS, { name, model_guid, table_name: name, ...fields }),
    name,
    within: model_guid,
  };
}
const switching = (verb: string, fields: Form): AuditedCall => ({
  operation: `POST ${LOGGERS}/:guid/${verb}`,
  keyAs: 'guid',
  kind: 'changed',
  target: (service) => logger(service, fields),
  path: ({ key }) => `${LOGGERS}/${key}/${verb}`,
});

export const loggerCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${LOGGERS}`,
    keyAs: 'guid',
    kind: 'made',
    async target(service) {
      const { within, name } = await logger(service);
      return { key: '', name: `${name}2`, within: `${within} ${name}` };
    },
    path: () => LOGGERS,
    form({ name, within = '' }) {
      const [model_guid = '', table_name = ''] = within.split(' ');
      return { name, model_guid, table_name };
    },
    wrong: {},
  },
  {
    operation: `PUT ${LOGGERS}/:guid`,
    keyAs: 'guid',
    kind: 'changed',
    target: (service) => logger(service),
    path: ({ key }) => `${LOGGERS}/${key}`,
    form: ({ name, within = '' }) => ({ name: `${name}2`, model_guid: within, table_name: name }),
    wrong: {},
    also: ({ name }) => ({ new_name: `${name}2` }),
  },
  {
    operation: `DELETE ${LOGGERS}`,
    keyAs: 'guid',
    kind: 'several',
    target: (service) => logger(service),
    path: () => LOGGERS,
    form: ({ key }) => ({ guids: `${key},00000000-0000-4000-8000-000000000000` }),
    wrong: {},
  },
  switching('enable', {}),
  switching('disable', { enabled: 'true' }),
];

const TABLES = `${CORE}/tables`;
export async function table(service: Caller): Promise<Target> {
  const name = `t_${mark()}`;
  await service.call('POST', TABLES, { form: { table: name } });
  return { key: name, name };
}
const ofTable = (method: string, rest: string, form: Form, wrong?: Form): AuditedCall => ({
  operation: `${method} ${TABLES}/:table${rest}`,
  keyAs: 'table',
  kind: 'changed',
  target: table,
  path: ({ key }) => `${TABLES}/${key}${rest}`,
  form: () => form,
  ...(wrong ? { wrong } : {}),
});

export const tableCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${TABLES}`,
    keyAs: 'table',
    kind: 'made',
    target: async () => ({ key: '', name: `t_${mark()}` }),
    path: () => TABLES,
    form: ({ name }) => ({ table: name }),
    wrong: {},
  },
  ofTable('PUT', '', { shared_users: '[]' }, { shared_users: '{' }),
  ofTable('PUT', '/retention', { period: '3' }, {}),
  ofTable('DELETE', '/partitions', { start: '2024-01-01', end: '2024-01-02' }, {}),
  ofTable('DELETE', '', {}),
];

const TICKETS = `${CORE}/tickets`;
async function ticket(service: Caller): Promise<Target> {
  const title = `t_${mark()}`;
  const repo_guid = await created(service, `${CORE}/ticket-repos`, { name: title });
  const { json } = await service.call('GET', `${USERS}?keywords=master`);
  const master = json.users[0].guid;
  const form = { repo_guid, title, priority: '1', assignees: master, approvers: master };
  return { key: await created(service, TICKETS, form), name: title, within: repo_guid };
}
const ofTicket = (method: string, rest: string, form: Form, wrong?: Form): AuditedCall => ({
  operation: `${method} ${TICKETS}/:guid${rest}`,
  keyAs: 'guid',
  kind: 'changed',
  target: ticket,
  path: ({ key }) => `${TICKETS}/${key}${rest}`,
  form: () => form,
  isForMembers: true,
  ...(wrong ? { wrong } : {}),
});

/** Reported and submitted, as far as the next step needs. */
type Step = readonly [method: string, rest: string, form: Form];

const moved = (call: AuditedCall, ...steps: readonly Step[]): AuditedCall => ({
  ...call,
  async target(service) {
    const made = await ticket(service);
    for (const [method, rest, form] of steps) await service.call(method, `${TICKETS}/${made.key}${rest}`, { form });
    return made;
  },
});
const CLOSED = ['PUT', '/assignee-status', { status: 'CLOSED' }] as const;

export const ticketCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${TICKETS}`,
    keyAs: 'guid',
    kind: 'made',
    async target(service) {
      const { within = '' } = await ticket(service);
      return { key: '', name: `t_${mark()}`, within };
    },
    path: () => TICKETS,
    form: ({ name, within = '' }) => ({ title: name, repo_guid: within, priority: '1' }),
    wrong: {},
    isForMembers: true,
  },
  ofTicket('PUT', '/priority', { priority: '2' }, {}),
  ofTicket('PUT', '/incident', { incident: 'true' }, {}),
  ofTicket('PUT', '/assignee-status', { status: 'IN_PROGRESS' }, {}),
  moved(ofTicket('POST', '/submit', {}), CLOSED),
  moved(ofTicket('PUT', '/approver-status', { status: 'APPROVED' }, {}), CLOSED, ['POST', '/submit', {}]),
  ofTicket('POST', '/comments', { content: 'c' }, {}),
];
