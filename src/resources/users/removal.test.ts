import { describe, expect, it } from 'vitest';
import { createAccount, created, createTeam, masterGuid } from '#test/support/accounts.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const USERS = '/api/core/users';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);

onEachDatabase('Removing users', (subject) => {
  const { call } = subject;
  const remove = async (form: Record<string, string>) => outcome(await call('DELETE', USERS, { form }));
  const exists = async (guid: string) => (await call('GET', `${USERS}/${guid}`)).json.user !== null;

  it('takes a list, names what it could not do, and does the rest', async () => {
    const { admin, member } = await createTeam(subject, 'gone');
    const guids = `${NOWHERE}, ${member.guid.toUpperCase()},,${admin.guid},${member.guid},${NOWHERE}`;
    expect(await remove({ guids })).toEqual([
      200,
      { failures: [{ id: NOWHERE, reason: 'user-not-found' }], references: [] },
    ]);
    expect([await exists(admin.guid), await exists(member.guid)]).toEqual([false, false]);
  });

  it.each([
    [{}, refused(400, 'null-argument', 'guids should be not null')],
    [{ guids: '' }, refused(400, 'null-argument', 'guids should be not null')],
    [{ guids: ' , ,' }, refused(400, 'null-argument', 'guids should be not null')],
    [{ guids: `${NOWHERE},x` }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
    [{ guids: `{${NOWHERE}}` }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
    [{ guids: NOWHERE, dry_run: 'yes' }, refused(400, 'invalid-param-type', 'dry_run should be boolean type')],
    [{ guids: NOWHERE, dry_run: '1' }, refused(400, 'invalid-param-type', 'dry_run should be boolean type')],
    [{ guids: 'x', dry_run: 'yes' }, refused(400, 'invalid-param-type', 'guids should be guid type.')],
  ])('refuses %j', async (form, complaint) => expect(await remove(form)).toEqual(complaint));

  it('takes a real array and real booleans in JSON', async () => {
    const guid = await created(subject, USERS, { login: 'json', name: 'x', role: 'MEMBER' });
    const dry = await call('DELETE', USERS, { json: { guids: [guid], dry_run: true } });
    expect(outcome(dry)).toEqual([200, { failures: [], references: [] }]);
    const wet = await call('DELETE', USERS, { json: { guids: [guid, guid], dry_run: false } });
    expect(outcome(wet)).toEqual([200, { failures: [], references: [] }]);
    expect(await exists(guid)).toBe(false);
  });

  it('tells in a dry run which tables are granted to it', async () => {
    const guid = await created(subject, USERS, { login: 'granted', name: 'x', role: 'MEMBER' });
    await created(subject, '/api/core/tables', { table: 'shared' });
    await call('PUT', '/api/core/tables/shared', { json: { shared_users: [guid] } });
    const reference = { id: guid, kind: 'table', guid: 'shared', name: 'shared', field: 'shared_users' };
    expect(await remove({ guids: guid, dry_run: 'true' })).toEqual([200, { failures: [], references: [reference] }]);
    await remove({ guids: guid });
    expect((await call('GET', '/api/core/tables/shared')).json.table.shared_users).toEqual([]);
  });

  it.each<[string, object]>([
    ['dashboards', { name: 'x', layout: {} }],
    ['lookups', { name: 'granted', key: 'k', columns: ['k'], restricted: true }],
    ['ticket-repos', { name: 'x' }],
  ])('ends what was granted to it, and to a group: %s', async (family, fields) => {
    const guid = await created(subject, USERS, { login: `of-${family}`, name: 'x', role: 'MEMBER' });
    const group = await created(subject, '/api/core/user-groups', { name: `of-${family}` });
    const grants = { shared_users: [guid], shared_groups: [group] };
    const made = await call('POST', `/api/core/${family}`, { json: { ...fields, ...grants } });
    expect(made.status).toBe(200);
    const holders = async () => {
      const object: Record<string, unknown> = Object.values(
        (await call('GET', `/api/core/${family}/${made.json.guid}`)).json,
      )[0] as never;
      return [object.shared_users, object.shared_groups];
    };
    expect((await holders()).flat()).toHaveLength(2);
    await remove({ guids: guid });
    await call('DELETE', '/api/core/user-groups', { form: { guids: group } });
    expect(await holders()).toEqual([[], []]);
  });

  it('removes nothing in a dry run', async () => {
    const guid = await created(subject, USERS, { login: 'dry', name: 'x', role: 'MEMBER' });
    expect(await remove({ guids: `${guid},${NOWHERE}`, dry_run: 'true' })).toEqual([
      200,
      { failures: [{ id: NOWHERE, reason: 'user-not-found' }], references: [] },
    ]);
    expect(await exists(guid)).toBe(true);
  });

  it('revokes the keys and ends the sessions of a user, and takes it out of its groups', async () => {
    const { guid, key } = await createAccount(subject, 'MEMBER', { login: 'leaver' });
    const group = await created(subject, '/api/core/user-groups', { name: 'left', user_guids: guid });
    const login = await call('POST', '/api/core/sessions', { key: null, form: { api_key: key } });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await call('GET', USERS, { key: null, headers: { cookie } })).status).toBe(200);
    await remove({ guids: guid });
    expect((await call('GET', USERS, { key })).status).toBe(401);
    expect((await call('GET', USERS, { key: null, headers: { cookie } })).status).toBe(401);
    expect((await call('GET', `/api/core/user-groups/${group}`)).json.user_group.user_guids).toEqual([]);
  });

  it('frees the login', async () => {
    const form = { login: 'again', name: 'x', role: 'MEMBER' };
    await remove({ guids: await created(subject, USERS, form) });
    expect((await call('POST', USERS, { form })).status).toBe(200);
  });
});

onEachDatabase('The last MASTER', (subject) => {
  const { call } = subject;

  it('is neither removed nor demoted', async () => {
    const guid = await masterGuid(subject);
    const lastMaster = [200, { failures: [{ id: guid, reason: 'last-master' }], references: [] }];
    expect(outcome(await call('DELETE', USERS, { form: { guids: guid } }))).toEqual(lastMaster);
    for (const role of ['ADMIN', 'MEMBER']) {
      const demoted = await call('PUT', `${USERS}/${guid}`, { form: { role, title: 'demoted' } });
      expect(outcome(demoted)).toEqual(illegal(`cannot remove last master: ${guid}`));
    }
    expect((await call('GET', `${USERS}/${guid}`)).json.user).not.toHaveProperty('title');
    expect((await call('PUT', `${USERS}/${guid}`, { form: { role: 'MASTER' } })).status).toBe(200);
  });

  it('stays when all of them are named at once', async () => {
    const first = await masterGuid(subject);
    const second = await createAccount(subject, 'MASTER', { login: 'second' });
    const failures = [{ id: first, reason: 'last-master' }];
    const form = { guids: `${second.guid},${first}`, dry_run: 'true' };
    expect((await call('DELETE', USERS, { form })).json).toEqual({ failures, references: [] });
    expect((await call('DELETE', USERS, { form: { guids: `${second.guid},${first}` } })).json).toEqual({
      failures,
      references: [],
    });
  });

  it('is whoever asks last, when all of them step down at the same moment', async () => {
    const masters = [{ guid: await masterGuid(subject), key: MASTER_KEY }];
    for (const name of ['a', 'b', 'c']) {
      masters.push(await createAccount(subject, 'MASTER', { login: `master-${name}` }));
    }
    const stepDown = ({ guid, key }: { guid: string; key: string }) =>
      call('PUT', `${USERS}/${guid}`, { key, form: { role: 'ADMIN' } });
    const answers = await Promise.all(masters.map(stepDown));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 500]);
    const left = masters[answers.findIndex(({ status }) => status === 500)];
    const { json } = await call('GET', `${USERS}/${left?.guid}`, { key: left?.key ?? '' });
    expect(json.user.role_name).toBe('MASTER');
  });
});

describe('A list of guids', () => {
  const { call } = serviceFor();
  const remove = async (form: Record<string, string>) => outcome(await call('DELETE', USERS, { form }));

  it('has ten thousand items and not one more', async () => {
    const one = '00000000-0000-4000-8000-0000000';
    const many = Array.from({ length: 10_000 }, (_, index) => one + String(10_000 + index));
    const [status, body] = await remove({ guids: many.join(',') });
    expect(status).toBe(200);
    expect((body as { failures: unknown[] }).failures).toHaveLength(10_000);
    const refusal = refused(400, 'invalid-argument', "'guids' must be less than or equal to 10000 items.");
    expect(await remove({ guids: [...many, NOWHERE].join(',') })).toEqual(refusal);
  });
});

describe('A list of guids under another limit', () => {
  const { call } = serviceFor({ flags: { 'guids-limit': '2' } });
  const tooMany = (name: string) =>
    refused(400, 'invalid-argument', `'${name}' must be less than or equal to 2 items.`);
  const list = (count: number) => Array.from({ length: count }, () => NOWHERE);

  it('has as many items as the setting says, however and wherever it is given', async () => {
    expect((await call('DELETE', USERS, { form: { guids: list(2).join(',') } })).status).toBe(200);
    for (const given of [{ form: { guids: list(3).join(',') } }, { json: { guids: list(3) } }]) {
      expect(outcome(await call('DELETE', USERS, given))).toEqual(tooMany('guids'));
    }
    expect(outcome(await call('GET', `${USERS}?guids=${list(3).join(',')}`))).toEqual(tooMany('guids'));
    const user = { login: 'x', name: 'x', role: 'MEMBER', user_group_guids: list(3) };
    expect(outcome(await call('POST', USERS, { json: user }))).toEqual(tooMany('user_group_guids'));
    const codes = { form: { codes: 'a,b,c' } };
    expect(outcome(await call('DELETE', '/api/core/log-schemas', codes))).toEqual(tooMany('codes'));
  });
});
