// The audited operations of families, rules and scheduled queries, and the list of all: the suite that walks the trail runs
// over it.

import { type AuditedCall, type Caller, CORE, type Form, mark } from './audited-call.ts';
import { lookupCalls, parserCalls } from './audited-lookup-calls.ts';
import { addressCalls, loggerCalls, tableCalls, ticketCalls, userCalls } from './audited-object-calls.ts';
import { uploadCalls } from './audited-upload-calls.ts';
import { FAMILIES, type FamilyCase } from './family-cases.ts';
import { createRule, KINDS, type Kind, MINIMAL } from './rules.ts';
import { createSchedule, SLOW, YEARLY } from './scheduled-queries.ts';

function familyCalls(family: FamilyCase): AuditedCall[] {
  const { path, key: keyAs = 'guid', least = {}, onlyAtCreation = [] } = family;
  const changed = Object.fromEntries(Object.entries(least).filter(([name]) => !onlyAtCreation.includes(name)));
  const many = keyAs === 'code' ? 'codes' : 'guids';
  const fields = () => ({ name: `n_${mark()}`, ...least, ...(keyAs === 'code' ? { code: `c_${mark()}` } : {}) });
  const target = async (service: Caller) => {
    const form = fields();
    const answer = await service.call('POST', `${CORE}/${path}`, { form });
    return { key: answer.json[keyAs], name: form.name };
  };
  const members = family.writers === 'MEMBER' ? ({ isForMembers: true } as const) : {};
  return [
    {
      operation: `POST ${CORE}/${path}`,
      keyAs,
      kind: 'made',
      target: async () => ({ key: '', name: `n_${mark()}` }),
      path: () => `${CORE}/${path}`,
      form: ({ name }) => ({ ...least, name, ...(keyAs === 'code' ? { code: name } : {}) }),
      wrong: {},
      ...members,
    },
    {
      operation: `PUT ${CORE}/${path}/:${keyAs}`,
      keyAs,
      kind: 'changed',
      target,
      path: ({ key }) => `${CORE}/${path}/${key}`,
      form: ({ name }) => ({ ...changed, name: `${name}2` }),
      wrong: {},
      also: ({ name }) => ({ new_name: `${name}2` }),
      ...members,
    },
    {
      operation: `DELETE ${CORE}/${path}`,
      keyAs,
      kind: 'several',
      target,
      path: () => `${CORE}/${path}`,
      form: ({ key }) => ({ [many]: `${key},00000000-0000-4000-8000-000000000000` }),
      wrong: {},
      ...members,
    },
  ];
}

function ruleCalls(kind: Kind): AuditedCall[] {
  const path = `${CORE}/${kind}-rules`;
  const make =
    (fields: Form = {}) =>
    async (service: Caller) => {
      const name = `r_${mark()}`;
      return { key: await createRule(service, kind, { name, ...fields }), name };
    };
  const one = (verb: string, fields: Form = {}): AuditedCall => ({
    operation: `POST ${path}/:guid/${verb}`,
    keyAs: 'guid',
    kind: 'changed',
    target: make(fields),
    path: ({ key }) => `${path}/${key}/${verb}`,
  });
  const backfill: AuditedCall = {
    ...one('backfill'),
    form: () => ({ from: '2024-01-02 00:00:00+0000', to: '2024-01-02 00:00:01+0000' }),
    wrong: {},
  };
  return [
    {
      operation: `POST ${path}`,
      keyAs: 'guid',
      kind: 'made',
      target: async () => ({ key: '', name: `r_${mark()}` }),
      path: () => path,
      form: ({ name }) => ({ ...MINIMAL[kind], name }),
      wrong: {},
    },
    {
      operation: `PUT ${path}/:guid`,
      keyAs: 'guid',
      kind: 'changed',
      target: make(),
      path: ({ key }) => `${path}/${key}`,
      form: ({ name }) => ({ ...MINIMAL[kind], name: `${name}2` }),
      wrong: {},
      also: ({ name }) => ({ new_name: `${name}2`, version: 2 }),
    },
    {
      operation: `DELETE ${path}`,
      keyAs: 'guid',
      kind: 'several',
      target: make(),
      path: () => path,
      form: ({ key }) => ({ guids: `${key},00000000-0000-4000-8000-000000000000` }),
      wrong: {},
    },
    one('enable'),
    one('disable', { enabled: 'true' }),
    ...(kind === 'batch' ? [one('run'), backfill, one('backfill/cancel')] : []),
    {
      operation: `POST ${path}/:guid/versions/:version/restore`,
      keyAs: 'guid',
      kind: 'changed',
      async target(service) {
        const { key, name } = await make()(service);
        await service.call('PUT', `${path}/${key}`, { form: { ...MINIMAL[kind], name: `${name}2` } });
        return { key, name: `${name}2` };
      },
      path: ({ key }) => `${path}/${key}/versions/1/restore`,
      also: ({ name }) => ({ new_name: name.slice(0, -1), from_version: 2, new_version: 3 }),
    },
  ];
}

const SCHEDULES = `${CORE}/scheduled-queries`;
const schedule =
  (fields: Form = {}) =>
  async (service: Caller) => {
    const name = `s_${mark()}`;
    return { key: await createSchedule(service, { name, ...fields }), name };
  };
const severalSchedules = (method: string, path: string, target: AuditedCall['target']): AuditedCall => ({
  operation: `${method} ${path}`,
  keyAs: 'guid',
  kind: 'several',
  target,
  path: () => path,
  form: ({ key }) => ({ guids: `${key},00000000-0000-4000-8000-000000000000` }),
  wrong: {},
});

const scheduleCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${SCHEDULES}`,
    keyAs: 'guid',
    kind: 'made',
    target: async () => ({ key: '', name: `s_${mark()}` }),
    path: () => SCHEDULES,
    form: ({ name }) => ({ name, query: 'json "{}"', ...YEARLY }),
    wrong: {},
  },
  {
    operation: `PUT ${SCHEDULES}/:guid`,
    keyAs: 'guid',
    kind: 'changed',
    target: schedule(),
    path: ({ key }) => `${SCHEDULES}/${key}`,
    form: ({ name }) => ({ name: `${name}2`, query: 'json "{}"', ...YEARLY }),
    wrong: {},
    also: ({ name }) => ({ new_name: `${name}2` }),
  },
  severalSchedules('DELETE', SCHEDULES, schedule()),
  severalSchedules('POST', `${SCHEDULES}/run`, schedule()),
  severalSchedules('POST', `${SCHEDULES}/stop`, async (service) => {
    const made = await schedule({ query: SLOW })(service);
    await service.call('POST', `${SCHEDULES}/run`, { form: { guids: made.key } });
    return made;
  }),
  {
    operation: `POST ${SCHEDULES}/:guid/backfill`,
    keyAs: 'guid',
    kind: 'changed',
    target: schedule(),
    path: ({ key }) => `${SCHEDULES}/${key}/backfill`,
    form: () => ({ from: '2024-01-02 00:00:00+0000', to: '2024-01-03 00:00:00+0000' }),
    wrong: {},
  },
  {
    operation: `POST ${SCHEDULES}/:guid/backfill/cancel`,
    keyAs: 'guid',
    kind: 'changed',
    target: schedule(),
    path: ({ key }) => `${SCHEDULES}/${key}/backfill/cancel`,
  },
];

/** Nothing listens there, which is no failure of the operation. */
const connectionTest: AuditedCall = {
  operation: `POST ${CORE}/connection-profiles/:guid/test`,
  keyAs: 'guid',
  kind: 'changed',
  async target(service) {
    const form = { name: `p_${mark()}`, kind: 'mysql', host: 'db.example.com', database: 'd', user: 'u' };
    const answer = await service.call('POST', `${CORE}/connection-profiles`, { form });
    return { key: answer.json.guid, name: form.name };
  },
  path: ({ key }) => `${CORE}/connection-profiles/${key}/test`,
};

const alarmTest: AuditedCall = {
  operation: `POST ${CORE}/alarm-groups/:guid/test`,
  keyAs: 'guid',
  kind: 'changed',
  async target(service) {
    const form = { name: `a_${mark()}` };
    const answer = await service.call('POST', `${CORE}/alarm-groups`, { form });
    return { key: answer.json.guid, name: form.name };
  },
  path: ({ key }) => `${CORE}/alarm-groups/${key}/test`,
};

export const AUDITED_CALLS: readonly AuditedCall[] = [
  connectionTest,
  alarmTest,
  ...FAMILIES.flatMap(familyCalls),
  ...KINDS.flatMap(ruleCalls),
  ...scheduleCalls,
  ...userCalls,
  ...addressCalls,
  ...loggerCalls,
  ...lookupCalls,
  ...parserCalls,
  ...tableCalls,
  ...ticketCalls,
  ...uploadCalls,
];
