import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const DATASETS = '/api/core/datasets';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const QUERY = `json "{'n':1}"`;
const NO_PERMISSION = refused(500, 'illegal-state', 'no-permission');
const mistake = (message: string) => refused(400, 'invalid-query', message);
const notFound = (thing: string, guid: string) => refused(500, 'illegal-state', `${thing} not found: ${guid}`);

describe('A dataset is refused', () => {
  const { call } = serviceFor();
  const least = { name: 'x', query: QUERY, shared_users: [], shared_groups: [] };

  it.each([
    [{ query: 'table nowhere' }, mistake('(10001) there is no table nowhere at 1:7')],
    [{ query: 'nonsense' }, expect.arrayContaining([400])],
    [{ query: `${QUERY} | search n == ` }, expect.arrayContaining([400])],
    [{ pivot: '{' }, refused(400, 'invalid-param-type', 'pivot should be json type')],
    [{ shared_users: null }, refused(400, 'null-argument', 'shared_users should be not null')],
    [{ shared_groups: '' }, refused(400, 'null-argument', 'shared_groups should be not null')],
    [{ shared_users: {} }, refused(400, 'invalid-param-type', 'shared_users should be json type')],
    [{ shared_users: [NOWHERE] }, notFound('user', NOWHERE)],
    [{ shared_groups: [NOWHERE] }, notFound('user group', NOWHERE)],
  ])('on creation with %j', async (more, complaint) => {
    expect(outcome(await call('POST', DATASETS, { json: { ...least, ...more } }))).toEqual(complaint);
    expect((await call('GET', DATASETS)).json.total_count).toBe(0);
  });
});

onEachDatabase('A dataset', (subject) => {
  const { call } = subject;
  const people = new Map<string, Account>();
  const who = (login: string) => people.get(login) as Account;
  const json = (name: string, shared: (object | string)[] = [], more = {}) => ({
    name,
    query: QUERY,
    shared_users: shared,
    shared_groups: [],
    ...more,
  });
  const make = async (login: string, name: string, shared: (object | string)[] = []) => {
    const answer = await call('POST', DATASETS, { key: who(login).key, json: json(name, shared) });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.guid;
  };
  const names = async (login: string) =>
    (await call('GET', DATASETS, { key: who(login).key })).json.datasets.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    for (const login of ['ann', 'bob', 'eve']) people.set(login, await createAccount(subject, 'MEMBER', { login }));
    people.set('adm', await createAccount(subject, 'ADMIN', { login: 'adm' }));
  });

  it('is checked with the rights of whoever writes it', async () => {
    await created(subject, '/api/core/tables', { table: 'hidden' });
    const of = async (login: string) =>
      outcome(
        await call('POST', DATASETS, { key: who(login).key, json: { ...json(`by ${login}`), query: 'table hidden' } }),
      );
    expect(await of('ann')).toEqual(mistake('(10001) there is no table hidden at 1:7'));
    expect((await of('adm'))[0]).toBe(200);
  });

  it('is seen by its owner, by those it is shared with and by administrators', async () => {
    await make('ann', 'own');
    const shared = await make('adm', 'shared', [{ guid: who('ann').guid }, who('bob').guid]);
    expect(await names('ann')).toEqual(['own', 'shared']);
    expect(await names('bob')).toEqual(['shared']);
    expect(await names('eve')).toEqual([]);
    expect(await names('adm')).toEqual(['by adm', 'own', 'shared']);
    const get = async (login: string) =>
      (await call('GET', `${DATASETS}/${shared}`, { key: who(login).key })).json.dataset;
    expect(await get('eve')).toBeNull();
    const created = '2024-03-01 00:00:00+0000';
    // Whom a caller may not see is not shown to it.
    expect(await get('bob')).toMatchObject({
      owner_name: 'adm',
      shared_users: [{ guid: who('bob').guid, name: 'bob', read_only: true, created }],
    });
    expect((await get('adm')).shared_users).toHaveLength(2);
  });

  it('is changed by its owner and by those it is shared with for writing', async () => {
    const shared = [{ guid: who('bob').guid, read_only: false }, { guid: who('eve').guid }];
    const guid = await make('adm', 'common', shared);
    const put = async (login: string, name: string, grants: object[] = []) =>
      outcome(await call('PUT', `${DATASETS}/${guid}`, { key: who(login).key, json: json(name, grants) }));
    expect(await put('eve', 'eve was here')).toEqual(NO_PERMISSION);
    expect(await put('ann', 'ann was here')).toEqual(notFound('dataset', guid));
    expect(await put('bob', 'bob was here', [{ guid: who('bob').guid, read_only: false }])).toEqual([200, {}]);
    const { dataset } = (await call('GET', `${DATASETS}/${guid}`)).json;
    expect(dataset).toMatchObject({ name: 'bob was here', owner_name: 'adm' });
    // bob replaced the grants that he may see: his own.
    expect(dataset.shared_users.map(({ name }: { name: string }) => name)).toEqual(['bob', 'eve']);
  });

  it('is removed by those who may change it', async () => {
    const guid = await make('adm', 'precious', [{ guid: who('eve').guid }]);
    const remove = async (login: string) =>
      (await call('DELETE', DATASETS, { key: who(login).key, form: { guids: guid } })).json.failures;
    expect(await remove('eve')).toEqual([{ id: guid, reason: 'no-permission' }]);
    expect(await remove('ann')).toEqual([{ id: guid, reason: 'dataset-not-found' }]);
    expect(await remove('adm')).toEqual([]);
    const again = { ...json('precious again'), guid };
    expect((await call('POST', DATASETS, { json: again })).status).toBe(200);
    expect(await names('eve')).not.toContain('precious again');
  });

  it('outlives its owner, whose name is null then', async () => {
    const guid = await make('bob', 'left behind');
    await call('DELETE', '/api/core/users', { form: { guids: who('bob').guid } });
    const { dataset } = (await call('GET', `${DATASETS}/${guid}`)).json;
    expect(dataset).toMatchObject({ owner_guid: who('bob').guid, owner_name: null });
  });

  it('is shared with groups', async () => {
    const form = { name: 'analysts', user_guids: who('eve').guid };
    const group = await created(subject, '/api/core/user-groups', form);
    const shared_groups = [{ guid: group, read_only: false }];
    const answer = await call('POST', DATASETS, { json: { ...json('for analysts'), shared_groups } });
    expect(await names('eve')).toContain('for analysts');
    const put = await call('PUT', `${DATASETS}/${answer.json.guid}`, {
      key: who('eve').key,
      json: { ...json('for analysts'), shared_groups },
    });
    expect(outcome(put)).toEqual([200, {}]);
  });
});
