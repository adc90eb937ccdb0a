import { beforeAll, describe, expect, it } from 'vitest';
import { createKey, createTeam, masterGuid, type Team } from '#test/support/accounts.ts';
import { entriesOf, expectChained, exportedEntries } from '#test/support/audit.ts';
import type { CallOptions } from '#test/support/service.ts';
import { onEachDatabase, serviceFor } from '#test/support/suites.ts';

const COMPANIES = '/api/core/companies';
const USERS = '/api/core/users';
const GROUPS = '/api/core/user-groups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const TEXT = { 'content-type': 'text/plain' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Expected = { module: string; method?: string; params?: object; error?: string };
type Row = readonly [method: string, path: string, options: CallOptions, entry: Expected];
const text = (body: string) => ({ body, headers: TEXT });

/** A call that leaves one entry, and what stands in it. */
const WRITTEN: readonly Row[] = [
  ['POST', COMPANIES, { form: { name: 'one' } }, { module: 'companies', method: 'create', params: { name: 'one' } }],
  [
    'POST',
    COMPANIES,
    { form: { name: 'one' } },
    { module: 'companies', method: 'create', error: 'duplicated name: one' },
  ],
  ['POST', COMPANIES, {}, { module: 'companies', method: 'create', error: 'name should be not null' }],
  [
    'POST',
    COMPANIES,
    text('x'),
    { module: 'companies', method: 'create', error: 'unsupported content type: text/plain' },
  ],
  [
    'POST',
    COMPANIES,
    { body: 'name=%zz', headers: FORM },
    { module: 'companies', method: 'create', error: 'malformed request body' },
  ],
  [
    'POST',
    COMPANIES,
    { body: 'x'.repeat(2000), headers: FORM },
    { module: 'companies', method: 'create', error: 'request body must be shorter than or equal to 1024 bytes.' },
  ],
  ['PUT', `${COMPANIES}/x`, {}, { module: 'companies', method: 'update', error: 'guid should be guid type.' }],
  [
    'PUT',
    `${COMPANIES}/${NOWHERE}`,
    { form: { name: 'x' } },
    {
      module: 'companies',
      method: 'update',
      error: `company not found: ${NOWHERE}`,
      params: { guid: NOWHERE, name: 'x' },
    },
  ],
  [
    'DELETE',
    `${COMPANIES}?guids=${NOWHERE}`,
    {},
    { module: 'companies', method: 'remove', params: { guids: NOWHERE }, error: 'company-not-found' },
  ],
  ['DELETE', COMPANIES, {}, { module: 'companies', method: 'remove', error: 'guids should be not null' }],
  [
    'POST',
    USERS,
    { form: { login: 'new', name: 'n', role: 'MEMBER' } },
    { module: 'users', method: 'create', params: { login: 'new', name: 'n', role: 'MEMBER' } },
  ],
  ['PUT', `${USERS}/${NOWHERE}`, {}, { module: 'users', method: 'update', error: `user not found: ${NOWHERE}` }],
  ['DELETE', `${USERS}?guids=${NOWHERE}&dry_run=true`, {}, { module: 'users', method: 'remove' }],
  ['POST', GROUPS, { form: { name: 'group' } }, { module: 'user-groups', method: 'create' }],
  [
    'PUT',
    `${GROUPS}/${NOWHERE}`,
    { form: { name: 'group' } },
    { module: 'user-groups', method: 'update', error: `user group not found: ${NOWHERE}` },
  ],
  [
    'DELETE',
    `${GROUPS}?guids=${NOWHERE}`,
    {},
    { module: 'user-groups', method: 'remove', error: 'user-group-not-found' },
  ],
  [
    'POST',
    `${USERS}/${NOWHERE}/api-keys`,
    { form: { name: 'k' } },
    { module: 'users', error: `user not found: ${NOWHERE}` },
  ],
  ['DELETE', `${USERS}/${NOWHERE}/api-keys/${NOWHERE}`, {}, { module: 'users', error: `user not found: ${NOWHERE}` }],
  ['GET', '/api/core/audit-logs/export', {}, { module: 'audit-logs', method: 'export' }],
  ['GET', '/api/core/audit-logs/proof', {}, { module: 'audit-logs', method: 'proof' }],
  [
    'GET',
    '/api/core/audit-logs/proof?offset=x',
    {},
    { module: 'audit-logs', method: 'proof', error: "'offset' parameter should be int type" },
  ],
];

/** By a MEMBER: a refusal for permission leaves an entry, of a read too. */
const FORBIDDEN: readonly [method: string, path: string, module: string][] = [
  ['GET', '/api/core/audit-logs', 'audit-logs'],
  ['GET', '/api/core/audit-logs/export', 'audit-logs'],
  ['GET', COMPANIES, 'companies'],
  ['GET', `${COMPANIES}/${NOWHERE}`, 'companies'],
  ['POST', COMPANIES, 'companies'],
  ['PUT', `${USERS}/${NOWHERE}`, 'users'],
  ['GET', `${USERS}/${NOWHERE}/api-keys`, 'users'],
  ['DELETE', GROUPS, 'user-groups'],
];

/** A call that leaves nothing. */
const UNWRITTEN: readonly [method: string, path: string, options: CallOptions][] = [
  ['GET', COMPANIES, {}],
  ['GET', `${COMPANIES}?offset=x`, {}],
  ['GET', `${COMPANIES}/${NOWHERE}`, {}],
  ['GET', USERS, {}],
  ['GET', `${USERS}/x`, {}],
  ['GET', `${USERS}/${NOWHERE}/api-keys`, {}],
  ['GET', GROUPS, {}],
  ['GET', '/api/core/audit-logs', {}],
  ['GET', '/api/core/audit-logs?from=x', {}],
  ['GET', '/api/core/nothing', {}],
  ['POST', '/api/core/nothing', {}],
  ['PATCH', COMPANIES, {}],
  ['DELETE', '/api/core/audit-logs', {}],
  ['POST', COMPANIES, { key: 'wrong' }],
  ['GET', '/healthz', {}],
  ['GET', '/readyz', {}],
  ['GET', '/metrics', {}],
  ['GET', '/openapi.json', {}],
  ['GET', '/docs', {}],
  ['POST', '/metrics', {}],
];

onEachDatabase(
  'The audit trail',
  (subject) => {
    const { call } = subject;
    let team: Team;
    beforeAll(async () => {
      team = await createTeam(subject, 'team');
    });

    it.each(WRITTEN)('has one entry of %s %s', async (method, path, options, expected) => {
      const entries = await entriesOf(subject, () => call(method, path, options));
      expect(entries).toMatchObject([
        { user_name: 'master', user_guid: await masterGuid(subject), remote_ip: '127.0.0.1', ...expected },
      ]);
      expect(entries[0].error).toBe(expected.error);
    });

    it.each(FORBIDDEN)('has one entry of the forbidden %s %s', async (method, path, module) => {
      const entries = await entriesOf(subject, () => call(method, path, { key: team.member.key }));
      expect(entries).toMatchObject([{ user_name: 'team-member', module, error: 'no-permission', result: 'Failure' }]);
    });

    it.each(UNWRITTEN)('has no entry of %s %s', async (method, path, options) => {
      expect(await entriesOf(subject, () => call(method, path, options))).toEqual([]);
    });

    it('has one entry of every one of many calls at once', async () => {
      const entries = await entriesOf(subject, () =>
        Promise.all(
          Array.from({ length: 60 }, (_, index) => call('POST', COMPANIES, { form: { name: `c${index % 40}` } })),
        ),
      );
      expect(entries).toHaveLength(60);
      expect(entries.filter(({ error }) => error !== undefined)).toHaveLength(20);
      const ids = new Set(entries.map(({ msg_params }) => msg_params.request_id));
      expect(ids.size).toBe(60);
    });
  },
  { flags: { 'body-limit': '1024' } },
);

describe('The params of an entry', () => {
  const subject = serviceFor();
  const { call } = subject;
  const paramsOf = async (method: string, path: string, options: CallOptions) =>
    (await entriesOf(subject, () => call(method, path, options)))[0].params;

  it('are cut at 2,000 characters', async () => {
    const most = { name: 'n'.repeat(2000), description: '한'.repeat(2000) };
    expect(await paramsOf('POST', COMPANIES, { json: most })).toEqual(most);
    const json = { name: '😀'.repeat(2001), description: `${'한'.repeat(2000)}글` };
    expect(await paramsOf('POST', COMPANIES, { json })).toEqual({
      name: '😀'.repeat(2000),
      description: '한'.repeat(2000),
    });
    const megabytes = await paramsOf('POST', COMPANIES, { json: { name: 'x'.repeat(10_000_000) } });
    expect(megabytes).toEqual({ name: 'x'.repeat(2000) });
  });

  it('are short, however many values or members were given', async () => {
    const guids = Array.from({ length: 5000 }, () => NOWHERE);
    for (const given of [guids, guids.join(','), { a: guids }, [[guids]]]) {
      const params = await paramsOf('DELETE', USERS, { json: { guids: given } });
      expect(JSON.stringify(params).length).toBeLessThan(5000);
    }
    const query = guids
      .slice(0, 2000)
      .map((guid) => `guids=${guid}`)
      .join('&');
    const params = await paramsOf('DELETE', `${USERS}?${query}`, {});
    expect(JSON.stringify(params).length).toBeLessThan(5000);
  });

  it('never hold a key', async () => {
    const { guid } = (await call('GET', USERS)).json.users[0];
    const { key } = await createKey(subject, guid);
    const secrets = { api_key: key, key, authorization: `Bearer ${key}` };
    const entries = await entriesOf(subject, async () => {
      await call('POST', '/api/core/sessions', { key: null, form: secrets });
      await call('POST', '/api/core/sessions', { key: null, json: { api_key: [key, { key }] } });
      await call('POST', '/api/core/sessions', { key: null, body: `api_key=${key}&api_key=${key}`, headers: FORM });
      await call('POST', COMPANIES, { key, json: { name: 'with secrets', ...secrets } });
      await call('POST', `${USERS}/${guid}/api-keys`, { key, form: { name: 'x', ...secrets } });
      await call('DELETE', `${COMPANIES}?guids=x&api_key=${key}&key=${key}`, { key });
    });
    expect(entries.length).toBeGreaterThanOrEqual(5);
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(entries[0].params.api_key).toBe('***');
  });

  it.each([
    ['an object called __proto__', JSON.parse('{"__proto__":{"a":1}}')],
    ['numbers beyond all bounds', JSON.parse('[1e400,-1e400,1e-400]')],
    ['a deep array', JSON.parse(`${'['.repeat(98)}${']'.repeat(98)}`)],
    ['dollar signs', '$& $1 $$ $`'],
    ['an object with a toString of its own', { toString: 1, valueOf: 1 }],
    ['an array of such', [{ toString: 1 }]],
  ])('may hold %s, and the trail can still be read', async (_, name) => {
    const login = 'x';
    await call('POST', COMPANIES, { json: { name } });
    await call('POST', USERS, { json: { login: name, name: login, role: 'MEMBER' } });
    for (const locale of ['en', 'ko']) {
      const list = await call('GET', `/api/core/audit-logs?locale=${locale}`);
      expect([list.status, list.json.error_msg]).toEqual([200, undefined]);
      expectChained(await exportedEntries(subject, `locale=${locale}`));
    }
  });
});
