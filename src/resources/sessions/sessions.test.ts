import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount, createKey } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import type { Reply } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, type Subject } from '#test/support/suites.ts';

const SESSIONS = '/api/core/sessions';
const USERS = '/api/core/users';
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');

const cookieOf = ({ headers }: Reply) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const attributesOf = ({ headers }: Reply) =>
  (headers.get('set-cookie') ?? '')
    .split(';')
    .slice(1)
    .map((attribute) => attribute.trim().toLowerCase())
    .sort();

/** The calls of a console: a cookie in place of a key. */
function consoleOf({ call }: Subject) {
  const open = async (key: string): Promise<string> => {
    const answer = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
    expect(answer.status).toBe(200);
    return cookieOf(answer);
  };
  const status = async (cookie: string) => (await call('GET', USERS, { key: null, headers: { cookie } })).status;
  return { open, status };
}

onEachDatabase('A console session', (subject) => {
  const { call, clock } = subject;
  const { open, status } = consoleOf(subject);
  let account: Account;
  beforeAll(async () => {
    const fields = { login: 'visitor', locale: 'ko', idle_timeout: '600' };
    account = await createAccount(subject, 'MEMBER', fields);
  });

  it('is opened with a key, and answers with its user and a cookie', async () => {
    const answer = await call('POST', SESSIONS, { key: null, json: { api_key: account.key } });
    expect(outcome(answer)).toEqual([
      200,
      {
        user: {
          guid: account.guid,
          login: 'visitor',
          name: 'visitor',
          role_name: 'MEMBER',
          locale: 'ko',
          time_zone: 'UTC',
        },
        expires_at: '2024-03-01 00:10:00+0000',
      },
    ]);
    expect(cookieOf(answer)).toMatch(/^vigil_session=[\w-]{20,}$/);
    expect(attributesOf(answer)).toEqual(['httponly', 'max-age=2592000', 'path=/', 'samesite=strict']);
    expect(await status(cookieOf(answer))).toBe(200);
    expect(await status(`theme=dark; ${cookieOf(answer)}; lang=ko`)).toBe(200);
  });

  it('has the role of its account and no more', async () => {
    const headers = { cookie: await open(account.key) };
    const answer = await call('GET', '/api/core/companies', { key: null, headers });
    expect(outcome(answer)).toEqual(refused(500, 'illegal-state', 'no-permission'));
  });

  it.each([
    [{}, refused(400, 'null-argument', 'api_key should be not null')],
    [{ api_key: '' }, refused(400, 'null-argument', 'api_key should be not null')],
    [{ api_key: 'vgl_wrong' }, UNAUTHORIZED],
    [{ api_key: 'x'.repeat(8000) }, UNAUTHORIZED],
  ])('is not opened with %j', async (form, refusal) => {
    const answer = await call('POST', SESSIONS, { key: null, form });
    expect(outcome(answer)).toEqual(refusal);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('is nothing without a cookie that is known', async () => {
    for (const cookie of [
      'vigil_session=',
      'vigil_session=x',
      'vigil_session',
      'other=x',
      `vigil_session=${account.key}`,
    ]) {
      const answer = await call('GET', USERS, { key: null, headers: { cookie } });
      expect(outcome(answer)).toEqual(UNAUTHORIZED);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('ends after the idle time of its account without a request', async () => {
    const cookie = await open(account.key);
    clock.advance({ seconds: 599 });
    expect(await status(cookie)).toBe(200);
    clock.advance({ seconds: 599 });
    expect(await status(cookie)).toBe(200);
    clock.advance({ seconds: 601 });
    expect(await status(cookie)).toBe(401);
  });

  it('lives on through a restart of the service', async () => {
    const cookie = await open(account.key);
    clock.advance({ seconds: 300 });
    expect(await status(cookie)).toBe(200);
    await subject.service.restart();
    clock.advance({ seconds: 599 });
    expect(await status(cookie)).toBe(200);
  });

  it('ends with the key it was opened by: revoked, or expired', async () => {
    const { key, keyGuid } = await createKey(subject, account.guid);
    const cookie = await open(key);
    const other = await open(account.key);
    await call('DELETE', `${USERS}/${account.guid}/api-keys/${keyGuid}`);
    expect([await status(cookie), await status(other)]).toEqual([401, 200]);
    const expires_at = `${clock.now().add({ minutes: 1 }).toString().slice(0, 19).replace('T', ' ')}+0000`;
    const brief = await open((await createKey(subject, account.guid, { expires_at })).key);
    expect(await status(brief)).toBe(200);
    clock.advance({ seconds: 61 });
    expect(await status(brief)).toBe(401);
  });
});

onEachDatabase('A change with a cookie', (subject) => {
  const { call } = subject;
  const { open, status } = consoleOf(subject);
  let cookie: string;
  beforeAll(async () => {
    cookie = await open((await createAccount(subject, 'MASTER', { login: 'clerk' })).key);
  });

  it('is taken from the own origin alone', async () => {
    const own = subject.service.url;
    const port = new URL(own).port;
    const origins: [string | undefined, number][] = [
      [own, 200],
      [undefined, 401],
      ['null', 401],
      ['http://evil.example', 401],
      [`https://127.0.0.1:${port}`, 401],
      [`http://127.0.0.1:${Number(port) + 1}`, 401],
      [`${own}.evil.example`, 401],
    ];
    for (const [index, [origin, expected]] of origins.entries()) {
      const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
      const form = { name: `by cookie ${index}` };
      expect((await call('POST', '/api/core/companies', { key: null, headers, form })).status).toBe(expected);
      expect((await call('GET', USERS, { key: null, headers })).status).toBe(200);
      expect((await fetch(`${own}${USERS}`, { method: 'HEAD', headers })).status).toBe(200);
    }
    expect((await call('GET', '/api/core/companies?keywords=by cookie')).json.total_count).toBe(1);
  });

  it('from another origin does not end the session either', async () => {
    const headers = { cookie, origin: 'http://evil.example' };
    expect(outcome(await call('DELETE', SESSIONS, { key: null, headers }))).toEqual(UNAUTHORIZED);
    expect(await status(cookie)).toBe(200);
  });

  it('may be DELETE, which ends the session and clears the cookie', async () => {
    const headers = { cookie, origin: subject.service.url };
    const answer = await call('DELETE', SESSIONS, { key: null, headers });
    expect(outcome(answer)).toEqual([200, {}]);
    expect(cookieOf(answer)).toBe('vigil_session=');
    expect(attributesOf(answer).some((text) => /^max-age=0$|^expires=.*1970/.test(text))).toBe(true);
    expect(await status(cookie)).toBe(401);
  });
});

onEachDatabase('Login and logout', (subject) => {
  const { call } = subject;

  it('leave one entry each, without the key', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'coming-and-going' });
    const entries = await entriesOf(subject, async () => {
      const answer = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
      const headers = { cookie: cookieOf(answer), origin: subject.service.url };
      await call('DELETE', SESSIONS, { key: null, headers });
    });
    expect(entries).toMatchObject([
      { module: 'auth', method: 'login', user_name: 'coming-and-going', params: { api_key: '***' } },
      { module: 'auth', method: 'logout', user_name: 'coming-and-going' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it('of a key leaves the key valid', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'key-holder' });
    const entries = await entriesOf(subject, async () => {
      expect(outcome(await call('DELETE', SESSIONS, { key }))).toEqual([200, {}]);
    });
    expect(entries).toMatchObject([{ module: 'auth', method: 'logout', user_name: 'key-holder' }]);
    expect((await call('GET', USERS, { key })).status).toBe(200);
  });

  it('without a session is no mistake', async () => {
    expect(outcome(await call('DELETE', SESSIONS, { key: null }))).toEqual([200, {}]);
  });

  it('that lacks its key is written down without an account', async () => {
    const entries = await entriesOf(subject, () => call('POST', SESSIONS, { key: null }));
    expect(entries).toMatchObject([
      { module: 'auth', method: 'login', user_name: '-', error: 'api_key should be not null' },
    ]);
    expect(entries[0]).not.toHaveProperty('user_guid');
  });
});
