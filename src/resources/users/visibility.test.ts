import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount, created, createTeam, masterGuid, type Team } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const USERS = '/api/core/users';
const illegal = (message: string) => refused(500, 'illegal-state', message);

onEachDatabase('Users are seen', (subject) => {
  let red: Team;
  let blue: Team;
  let boss: Account;
  beforeAll(async () => {
    red = await createTeam(subject, 'red');
    blue = await createTeam(subject, 'blue');
    boss = await createAccount(subject, 'MASTER', { login: 'red-boss', company_guid: red.company });
  });
  const logins = async (key: string, query = '') => {
    const { json } = await subject.call('GET', `${USERS}?${query}`, { key });
    expect(json.total_count).toBeGreaterThanOrEqual(json.users.length);
    return json.users.map(({ login }: { login: string }) => login);
  };

  it('all by a MASTER, in the order of their names', async () => {
    const all = ['blue-admin', 'blue-member', 'master', 'red-admin', 'red-boss', 'red-member'];
    expect(await logins(boss.key)).toEqual(all);
    expect(await logins(boss.key, 'offset=1&limit=2')).toEqual(['blue-member', 'master']);
  });

  it('of the own company by an ADMIN', async () => {
    expect(await logins(red.admin.key)).toEqual(['red-admin', 'red-boss', 'red-member']);
    expect(await logins(red.admin.key, 'keywords=blue')).toEqual([]);
    expect(await logins(red.admin.key, `guids=${blue.member.guid},${red.member.guid}`)).toEqual(['red-member']);
  });

  it('only itself by a MEMBER', async () => {
    expect(await logins(red.member.key)).toEqual(['red-member']);
    expect(await logins(red.member.key, 'keywords=admin')).toEqual([]);
    expect(await logins(red.member.key, `guids=${red.admin.guid}`)).toEqual([]);
  });

  it('by company for a MASTER; others may say what they like', async () => {
    expect(await logins(boss.key, `company_guid=${blue.company}`)).toEqual(['blue-admin', 'blue-member']);
    expect(await logins(red.admin.key, `company_guid=${blue.company}`)).toEqual([
      'red-admin',
      'red-boss',
      'red-member',
    ]);
    expect(await logins(red.member.key, `company_guid=${blue.company}`)).toEqual(['red-member']);
  });

  it('singly as in the list, else as null', async () => {
    const seen = async (key: string, guid: string) =>
      (await subject.call('GET', `${USERS}/${guid}`, { key })).json.user?.login ?? null;
    expect(await seen(boss.key, blue.member.guid)).toBe('blue-member');
    expect(await seen(red.admin.key, boss.guid)).toBe('red-boss');
    expect(await seen(red.admin.key, blue.member.guid)).toBeNull();
    expect(await seen(red.member.key, red.member.guid)).toBe('red-member');
    expect(await seen(red.member.key, red.admin.guid)).toBeNull();
  });

  it('by keywords in login, name, title, dept, phone and mobile, ignoring case, not in email', async () => {
    const form = { login: 'Log1n', name: 'Näme', role: 'MEMBER', title: 'Title9', dept: '부서', phone: '111-222' };
    await created(subject, USERS, { ...form, mobile: '333%444', email: 'secret@mail' });
    for (const keyword of ['LOG1', 'NÄM', 'title9', '부', '11-22', '3%4', 'ä']) {
      expect(await logins(boss.key, `keywords=${encodeURIComponent(keyword)}`)).toEqual(['Log1n']);
    }
    for (const keyword of ['secret', '1%2', '3_4', 'log1n title9', 'log1n,title9']) {
      expect(await logins(boss.key, `keywords=${encodeURIComponent(keyword)}`)).toEqual([]);
    }
  });

  it('not by a keyword that begins in one field and ends in the next', async () => {
    expect(await logins(boss.key, `keywords=${encodeURIComponent('log1n\nnäme')}`)).toEqual([]);
  });

  it('with has_api_key once they have one', async () => {
    const answer = await subject.call('GET', `${USERS}?keywords=Log1n`);
    expect(answer.json.users[0].has_api_key).toBe(false);
    const own = await subject.call('GET', `${USERS}/${red.member.guid}`, { key: red.member.key });
    expect(own.json.user.has_api_key).toBe(true);
  });

  it.each([
    ['offset=x', "'offset' parameter should be int type"],
    ['limit=-1', "'limit' must be greater than or equal to 0."],
    ['limit=99999999999999999999', "'limit' must be less than or equal to 2147483647."],
    ['offset=2147483648', "'offset' must be less than or equal to 2147483647."],
    ['keywords=a&keywords=b', "'keywords' is given twice."],
    ['guids=x&offset=1.5', "'offset' parameter should be int type"],
  ])('not with %s', async (query, message) => {
    const answer = await subject.call('GET', `${USERS}?${query}`);
    expect(outcome(answer)).toEqual(refused(400, 'invalid-argument', message));
  });

  it('not with guids that are none', async () => {
    for (const name of ['guids', 'company_guid']) {
      const answer = await subject.call('GET', `${USERS}?${name}=x`);
      expect(outcome(answer)).toEqual(refused(400, 'invalid-param-type', `${name} should be guid type.`));
    }
  });
});

onEachDatabase('Users are changed', (subject) => {
  let red: Team;
  let blue: Team;
  beforeAll(async () => {
    red = await createTeam(subject, 'red');
    blue = await createTeam(subject, 'blue');
  });
  const asAdmin = async (method: string, path: string, form: Record<string, string>) =>
    outcome(await subject.call(method, path, { key: red.admin.key, form }));

  it('not by a MEMBER, not even itself', async () => {
    const { key, guid } = red.member;
    for (const [method, path] of [
      ['POST', USERS],
      ['PUT', `${USERS}/${guid}`],
      ['DELETE', USERS],
    ] as const) {
      expect(outcome(await subject.call(method, path, { key, form: { guids: 'x' } }))).toEqual(NO_PERMISSION);
    }
  });

  it('by an ADMIN in its company, which is the default', async () => {
    const form = { login: 'hired', name: 'hired', role: 'ADMIN' };
    const made = await subject.call('POST', USERS, { key: red.admin.key, form });
    const { json } = await subject.call('GET', `${USERS}/${made.json.guid}`);
    expect(json.user).toMatchObject({ company_guid: red.company, company_name: 'red', role_name: 'ADMIN' });
  });

  it('by an ADMIN neither into nor out of another company', async () => {
    const form = { login: 'smuggled', name: 'x', role: 'MEMBER', company_guid: blue.company };
    expect((await asAdmin('POST', USERS, form))[0]).toBe(500);
    expect((await asAdmin('PUT', `${USERS}/${red.member.guid}`, { company_guid: blue.company }))[0]).toBe(500);
    const { json } = await subject.call('GET', `${USERS}?company_guid=${blue.company}`);
    expect(json.total_count).toBe(2);
  });

  it('by an ADMIN never to MASTER', async () => {
    const form = { login: 'crowned', name: 'x', role: 'MASTER' };
    expect(await asAdmin('POST', USERS, form)).toEqual(NO_PERMISSION);
    expect(await asAdmin('PUT', `${USERS}/${red.member.guid}`, { role: 'MASTER' })).toEqual(NO_PERMISSION);
    expect(await asAdmin('PUT', `${USERS}/${red.admin.guid}`, { role: 'MASTER' })).toEqual(NO_PERMISSION);
  });

  it('by an ADMIN unless they are a MASTER', async () => {
    const boss = await createAccount(subject, 'MASTER', { login: 'red-boss', company_guid: red.company });
    expect(await asAdmin('PUT', `${USERS}/${boss.guid}`, { title: 'x' })).toEqual(NO_PERMISSION);
    const removal = await asAdmin('DELETE', USERS, { guids: boss.guid });
    expect(removal).toEqual([200, { failures: [{ id: boss.guid, reason: 'no-permission' }], references: [] }]);
    const { json } = await subject.call('GET', `${USERS}/${boss.guid}`);
    expect(json.user).not.toHaveProperty('title');
  });

  it('by an ADMIN as if those of other companies did not exist', async () => {
    const { guid } = blue.member;
    expect(await asAdmin('PUT', `${USERS}/${guid}`, { title: 'x' })).toEqual(illegal(`user not found: ${guid}`));
    const master = await masterGuid(subject);
    expect(await asAdmin('PUT', `${USERS}/${master}`, { title: 'x' })).toEqual(illegal(`user not found: ${master}`));
    expect(await asAdmin('DELETE', USERS, { guids: `${guid},${master}` })).toEqual([
      200,
      {
        failures: [
          { id: guid, reason: 'user-not-found' },
          { id: master, reason: 'user-not-found' },
        ],
        references: [],
      },
    ]);
    const group = await created(subject, '/api/core/user-groups', { name: 'blues', company_guid: blue.company });
    const joined = await asAdmin('PUT', `${USERS}/${red.member.guid}`, { user_group_guids: group });
    expect(joined).toEqual(illegal(`user group not found: ${group}`));
  });

  it('by a MASTER across companies', async () => {
    const form = { company_guid: blue.company, role: 'ADMIN' };
    expect((await subject.call('PUT', `${USERS}/${red.member.guid}`, { form })).status).toBe(200);
    const { json } = await subject.call('GET', `${USERS}/${red.member.guid}`, { key: blue.admin.key });
    expect(json.user).toMatchObject({ login: 'red-member', company_name: 'blue', role_id: 2 });
  });
});
