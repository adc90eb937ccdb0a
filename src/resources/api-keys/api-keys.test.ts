import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, createKey, createTeam, masterGuid, type Team } from '#test/support/accounts.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const keysOf = (guid: string) => `/api/core/users/${guid}/api-keys`;
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const NOT_IN_FUTURE = invalid("'expires_at' must be in the future.");

describe('An API key is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, refused(400, 'null-argument', 'name should be not null')],
    [{ name: 'n'.repeat(256) }, invalid("'name' must be shorter than or equal to 255 characters.")],
    [{ name: 'x', expires_at: 'tomorrow' }, invalid('invalid date format')],
    [{ name: 'x', expires_at: '2024-02-29 23:59:59+0000' }, NOT_IN_FUTURE],
    [{ name: 'x', expires_at: '2024-03-01 00:00:00+0000' }, NOT_IN_FUTURE],
    [{ name: 'x', expires_at: '2024-03-01 09:00:00+0900' }, NOT_IN_FUTURE],
    [{ name: 'x', trust_hosts: '10.0.0.0/8,::g' }, invalid('wrong address or network: ::g')],
    [{ name: 'x', scope: 'PUSH' }, invalid("scope value must be one of 'all', 'push'.")],
    [{ name: '', expires_at: 'tomorrow' }, refused(400, 'null-argument', 'name should be not null')],
    [{ name: 'x', expires_at: 'tomorrow', trust_hosts: 'x' }, invalid('invalid date format')],
    [{ name: 'x', expires_at: '2020-01-01 00:00:00+0000', trust_hosts: 'x' }, NOT_IN_FUTURE],
  ])('with %j, before anyone looks for the user', async (form, complaint) => {
    expect(outcome(await call('POST', keysOf(NOWHERE), { form }))).toEqual(complaint);
  });

  it('for a user that does not exist', async () => {
    const missing = illegal(`user not found: ${NOWHERE}`);
    expect(outcome(await call('POST', keysOf(NOWHERE), { form: { name: 'x' } }))).toEqual(missing);
    expect(outcome(await call('GET', keysOf(NOWHERE)))).toEqual(missing);
    expect(outcome(await call('DELETE', `${keysOf(NOWHERE)}/${NOWHERE}`))).toEqual(missing);
  });

  it('for guids that are none', async () => {
    const notGuid = (name: string) => refused(400, 'invalid-param-type', `${name} should be guid type.`);
    expect(outcome(await call('POST', keysOf('x')))).toEqual(notGuid('guid'));
    expect(outcome(await call('DELETE', `${keysOf('x')}/y`))).toEqual(notGuid('guid'));
    expect(outcome(await call('DELETE', `${keysOf(NOWHERE)}/y`))).toEqual(notGuid('key_guid'));
  });

  it('for removal when the user has no such key', async () => {
    const { guid } = await createAccount({ call }, 'MEMBER', { login: 'first' });
    const other = await createAccount({ call }, 'MEMBER', { login: 'second' });
    for (const key of [NOWHERE, other.keyGuid]) {
      expect(outcome(await call('DELETE', `${keysOf(guid)}/${key}`))).toEqual(illegal(`api key not found: ${key}`));
    }
    expect((await call('GET', '/api/core/users', { key: other.key })).status).toBe(200);
  });
});

onEachDatabase('An API key', (subject) => {
  const { call, clock } = subject;
  let owner: Account;
  beforeAll(async () => {
    owner = await createAccount(subject, 'MEMBER', { login: 'owner' });
  });
  const listed = async (query = '') => (await call('GET', `${keysOf(owner.guid)}?${query}`)).json;
  const status = async (key: string) => (await call('GET', '/api/core/users', { key })).status;

  it('is shown once, and afterwards only by its first ten characters', async () => {
    const form = { name: '한 key', expires_at: '2024-03-01 10:00:00+0900', trust_hosts: '127.0.0.0/8,::1' };
    const { json } = await call('POST', keysOf(owner.guid), { form });
    expect(Object.keys(json).sort()).toEqual(['api_key', 'guid']);
    expect(json.api_key).toMatch(/^vgl_[A-Za-z0-9_-]{43}$/);
    const { api_keys } = await listed(`keywords=${encodeURIComponent('한 K')}`);
    expect(api_keys).toStrictEqual([
      {
        guid: json.guid,
        name: '한 key',
        prefix: json.api_key.slice(0, 10),
        scope: 'all',
        created: '2024-03-01 00:00:00+0000',
        expires_at: '2024-03-01 01:00:00+0000',
        last_used: null,
        trust_hosts: ['127.0.0.0/8', '::1'],
      },
    ]);
    expect(await status(json.api_key)).toBe(200);
    clock.advance({ minutes: 59, seconds: 59 });
    expect(await status(json.api_key)).toBe(200);
    clock.advance({ seconds: 2 });
    expect(await status(json.api_key)).toBe(401);
  });

  it('has null for what never happens or has not happened', async () => {
    await createKey(subject, owner.guid, { name: 'eternal' });
    const { total_count, api_keys } = await listed('keywords=eternal');
    expect([total_count, api_keys[0]]).toMatchObject([1, { expires_at: null, last_used: null, trust_hosts: [] }]);
  });

  it('remembers when it was last used, also through a restart', async () => {
    const { key, keyGuid } = await createKey(subject, owner.guid, { name: 'used' });
    const lastUsed = async () => (await listed('keywords=used')).api_keys[0].last_used;
    clock.advance({ hours: 1 });
    await status(key);
    const at = clock.now().toString().slice(0, 19).replace('T', ' ');
    expect(await lastUsed()).toBe(`${at}+0000`);
    clock.advance({ minutes: 10 });
    await subject.service.restart();
    expect(await lastUsed()).toBe(`${at}+0000`);
    await status(key);
    expect(await lastUsed()).not.toBe(`${at}+0000`);
    await call('DELETE', `${keysOf(owner.guid)}/${keyGuid}`);
  });

  it('is revoked at once, and alone', async () => {
    const one = await createKey(subject, owner.guid);
    const other = await createKey(subject, owner.guid);
    expect([await status(one.key), await status(other.key)]).toEqual([200, 200]);
    const removal = await call('DELETE', `${keysOf(owner.guid)}/${one.keyGuid.toUpperCase()}`, { key: one.key });
    expect(outcome(removal)).toEqual([200, {}]);
    expect([await status(one.key), await status(other.key)]).toEqual([401, 200]);
  });

  it('is listed by name, in pages', async () => {
    const names = (await listed()).api_keys.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort());
    const page = await listed('offset=1&limit=1');
    expect([page.total_count, page.api_keys.map(({ name }: { name: string }) => name)]).toEqual([
      names.length,
      [names[1]],
    ]);
  });

  it('is never in an answer again, nor in the database or any file', async () => {
    const { key } = await createKey(subject, owner.guid, { name: 'secret' });
    const login = await call('POST', '/api/core/sessions', { key: null, form: { api_key: key } });
    const token = /vigil_session=([^;]*)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(token.length).toBeGreaterThan(20);
    const paths = ['users', 'audit-logs', 'audit-logs/export', 'audit-logs/proof', keysOf(owner.guid).slice(10)];
    const answers = await Promise.all(paths.map((path) => call('GET', `/api/core/${path}`)));
    const kept = await everythingKept(subject.service);
    for (const secret of [key, key.slice(4), token, MASTER_KEY]) {
      for (const { text } of [login, ...answers]) expect(text).not.toContain(secret);
      for (const bytes of kept) expect(bytes.includes(secret)).toBe(false);
    }
    expect(kept.some((bytes) => bytes.includes(key.slice(0, 10)))).toBe(true);
  });
});

onEachDatabase('API keys of others', (subject) => {
  const { call } = subject;
  let red: Team;
  let blue: Team;
  let boss: Account;
  beforeAll(async () => {
    red = await createTeam(subject, 'red');
    blue = await createTeam(subject, 'blue');
    boss = await createAccount(subject, 'MASTER', { login: 'boss', company_guid: red.company });
  });
  /** What the three operations answer `key` about the keys of `account`. */
  const tried = async (key: string, { guid, keyGuid }: Account, form: Record<string, string> = { name: 'x' }) => [
    outcome(await call('POST', keysOf(guid), { key, form })),
    outcome(await call('GET', keysOf(guid), { key })),
    outcome(await call('DELETE', `${keysOf(guid)}/${keyGuid}`, { key })),
  ];

  it('are out of reach of a MEMBER, who has its own', async () => {
    for (const account of [red.admin, blue.member, boss]) {
      expect(await tried(red.member.key, account)).toEqual([NO_PERMISSION, NO_PERMISSION, NO_PERMISSION]);
    }
    const own = await call('POST', keysOf(red.member.guid.toUpperCase()), { key: red.member.key, form: { name: 'x' } });
    expect(own.status).toBe(200);
  });

  it('are in reach of an ADMIN of the company, unless they are a MASTER’s', async () => {
    expect((await tried(red.admin.key, red.member)).map(([status]) => status)).toEqual([200, 200, 200]);
    expect(await tried(red.admin.key, boss)).toEqual([NO_PERMISSION, NO_PERMISSION, NO_PERMISSION]);
  });

  it('are missing for an ADMIN of another company', async () => {
    for (const { guid, keyGuid, ...rest } of [blue.member, blue.admin]) {
      const missing = illegal(`user not found: ${guid}`);
      expect(await tried(red.admin.key, { guid, keyGuid, ...rest })).toEqual([missing, missing, missing]);
    }
    const master = await masterGuid(subject);
    const answer = await call('GET', keysOf(master), { key: red.admin.key });
    expect(outcome(answer)).toEqual(illegal(`user not found: ${master}`));
  });

  it('are in reach of a MASTER, whoever they belong to', async () => {
    for (const account of [blue.member, blue.admin]) {
      expect((await tried(boss.key, account)).map(([status]) => status)).toEqual([200, 200, 200]);
    }
  });

  it('of a MASTER are refused to an ADMIN before its parameters are looked at', async () => {
    expect((await tried(red.admin.key, boss, { name: '' }))[0]).toEqual(NO_PERMISSION);
  });
});
