// One-time codes, the session of a call, and requests that do not keep a session alive.

import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount, created, createKey } from '#test/support/accounts.ts';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { begin, openCursor } from '#test/support/queries.ts';
import type { CallOptions, Reply } from '#test/support/service.ts';
import { NO_PERMISSION, onEachDatabase, outcome, pass, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { everythingKept } from '#test/support/written-data.ts';

const SESSIONS = '/api/core/sessions';
const CODES = `${SESSIONS}/codes`;
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');
const REFRESH = { 'x-vigil-refresh': 'true' };

const cookieOf = ({ headers }: Reply) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

onEachDatabase('A sign-in code', (subject) => {
  const { call, clock } = subject;
  let account: Account;
  const make = async (options: CallOptions = { key: account.key }): Promise<string> =>
    (await call('POST', CODES, options)).json.code;
  const open = (code: string, form: Readonly<Record<string, string>> = {}) =>
    call('POST', SESSIONS, { key: null, form: { code, ...form } });
  const statusWith = async (cookie: string) => (await call('GET', SESSIONS, { key: null, headers: { cookie } })).status;

  beforeAll(async () => {
    account = await createAccount(subject, 'MEMBER', { login: 'visitor', time_zone: 'Asia/Seoul' });
  });

  it('opens one session of its account, and no second one', async () => {
    const answer = await call('POST', CODES, { key: account.key });
    const expires_at = '2024-03-01 00:10:00+0000';
    expect(outcome(answer)).toEqual([200, { code: expect.stringMatching(/^[\w-]{43}$/), expires_at }]);
    const opened = await open(` ${answer.json.code} `);
    const user = { guid: account.guid, login: 'visitor', name: 'visitor', role_name: 'MEMBER', locale: 'en' };
    const ends = { expires_at: '2024-03-01 01:00:00+0000' };
    expect(outcome(opened)).toEqual([200, { user: { ...user, time_zone: 'Asia/Seoul' }, ...ends }]);
    expect(await statusWith(cookieOf(opened))).toBe(200);
    const again = await open(answer.json.code);
    expect(outcome(again)).toEqual(UNAUTHORIZED);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  it('opens one session, however many ask for it at once', async () => {
    const code = await make();
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await open(code)).status));
    expect(codes.toSorted()).toEqual([200, ...Array(7).fill(401)]);
  });

  it.each([
    [{}, refused(400, 'null-argument', 'api_key should be not null')],
    [{ code: '' }, refused(400, 'null-argument', 'api_key should be not null')],
    [{ code: 'wrong' }, UNAUTHORIZED],
    [{ code: 'x'.repeat(8000) }, UNAUTHORIZED],
  ])('is not %j', async (form, refusal) => {
    expect(outcome(await call('POST', SESSIONS, { key: null, form }))).toEqual(refusal);
  });

  it('is ignored beside a key, and then still opens a session', async () => {
    const code = await make();
    expect((await open(code, { api_key: account.key })).status).toBe(200);
    expect(outcome(await open(code, { api_key: 'vgl_wrong' }))).toEqual(UNAUTHORIZED);
    const body = new URLSearchParams([
      ['api_key', account.key],
      ['code', 'a'],
      ['code', 'b'],
    ]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call('POST', SESSIONS, { key: null, body, headers })).status).toBe(200);
    expect((await open(code)).status).toBe(200);
  });

  it('ends after ten minutes', async () => {
    const early = await make();
    const late = await make();
    clock.advance({ seconds: 599 });
    expect((await open(early)).status).toBe(200);
    clock.advance({ seconds: 1 });
    expect(outcome(await open(late))).toEqual(UNAUTHORIZED);
  });

  it('is one of ten of its account: a further one ends the oldest', async () => {
    const other = await createKey(subject, account.guid);
    const codes: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      clock.advance({ seconds: 1 });
      codes.push(await make({ key: count % 2 === 0 ? other.key : account.key }));
    }
    const statuses: number[] = [];
    for (const code of codes) statuses.push((await open(code)).status);
    expect(statuses).toEqual([401, ...Array(10).fill(200)]);
  });

  it('ends with the key behind the call that made it, and so does its session', async () => {
    const { key, keyGuid } = await createKey(subject, account.guid);
    const byKey = cookieOf(await open(await make({ key })));
    // A call with a cookie: the key behind it is the one that opened the session.
    const headers = { cookie: byKey, origin: subject.service.url };
    const byCookie = cookieOf(await open(await make({ key: null, headers })));
    const unused = await make({ key });
    expect([await statusWith(byKey), await statusWith(byCookie)]).toEqual([200, 200]);
    await call('DELETE', `/api/core/users/${account.guid}/api-keys/${keyGuid}`);
    expect([await statusWith(byKey), await statusWith(byCookie)]).toEqual([401, 401]);
    expect(outcome(await open(unused))).toEqual(UNAUTHORIZED);
  });

  it('is used from where its key may be used, by the pages of the service', async () => {
    const { key } = await createKey(subject, account.guid, { trust_hosts: '127.0.0.1' });
    const code = await make({ key });
    const foreign = { key: null, headers: { origin: 'http://evil.example' }, form: { code } };
    expect(outcome(await call('POST', SESSIONS, foreign))).toEqual(UNAUTHORIZED);
    expect((await open(code)).status).toBe(200);
    const far = await createAccount(subject, 'MEMBER', { login: 'far' });
    const started = await make({ key: far.key });
    await call('PUT', `/api/core/users/${far.guid}`, { form: { trust_hosts: '192.0.2.1' } });
    expect(outcome(await open(started))).toEqual(UNAUTHORIZED);
  });

  it('is made neither by a key that only pushes nor without a key', async () => {
    const { key } = await createKey(subject, account.guid, { scope: 'push' });
    expect(outcome(await call('POST', CODES, { key }))).toEqual(NO_PERMISSION);
    expect(outcome(await call('GET', SESSIONS, { key }))).toEqual(NO_PERMISSION);
    expect(outcome(await call('POST', CODES, { key: null }))).toEqual(UNAUTHORIZED);
  });

  it('is in the audit trail as made and as used, and is written nowhere', async () => {
    let code = '';
    const entries = await entriesOf(subject, async () => {
      code = await make();
      await open(code);
      await call('GET', SESSIONS, { key: account.key });
    });
    expect(entries).toMatchObject([
      {
        module: 'auth',
        method: 'code',
        user_name: 'visitor',
        action: 'Create sign-in code',
        msg: 'Sign-in code for visitor',
      },
      { module: 'auth', method: 'login', user_name: 'visitor', params: { code: '***' }, msg_params: { via: 'code' } },
    ]);
    expect(entries).toHaveLength(2);
    const unused = await make();
    const written = await everythingKept(subject.service);
    const isWritten = (text: string) => written.some((bytes) => bytes.includes(text));
    const hash = createHash('sha256').update(unused).digest('hex');
    expect([code, unused, hash].map(isWritten)).toEqual([false, false, true]);
  });

  it('that is wrong counts as a failed authentication', async () => {
    clock.advance({ minutes: 2 });
    await open('wrong');
    await open('wrong');
    await pass(subject, { minutes: 2 });
    const [entry] = await until(
      () => auditLogs(subject, 'locale=en'),
      ([newest]) => newest.method === 'refuse' && newest.msg_params.count === 2,
    );
    expect(entry).toMatchObject({ module: 'auth', method: 'refuse', msg_params: { count: 2 } });
    for (let count = 0; count < 60; count += 1) await open('wrong');
    expect(outcome(await open('wrong'))).toEqual(refused(429, 'too-many-requests', 'too many requests'));
  });
});

onEachDatabase('The session of a call', (subject) => {
  const { call, clock } = subject;
  let account: Account;
  let company = '';
  const session = (options: CallOptions) => call('GET', SESSIONS, options);
  const open = async (): Promise<string> =>
    cookieOf(await call('POST', SESSIONS, { key: null, form: { api_key: account.key } }));

  beforeAll(async () => {
    company = await created(subject, '/api/core/companies', { name: 'shop' });
    const fields = { login: 'kim', locale: 'ko', idle_timeout: '600', company_guid: company };
    account = await createAccount(subject, 'ADMIN', fields);
  });

  it('has its user, its way and its end', async () => {
    const user = {
      guid: account.guid,
      login: 'kim',
      name: 'kim',
      role_id: 2,
      role_name: 'ADMIN',
      company_guid: company,
      company_name: 'shop',
      locale: 'ko',
      time_zone: 'UTC',
    };
    const ends = { expires_at: '2024-03-01 00:10:00+0000', idle_timeout: 600 };
    expect(outcome(await session({ key: account.key }))).toEqual([200, { user, via: 'key', ...ends }]);
    const cookie = await open();
    expect(outcome(await session({ key: null, headers: { cookie } }))).toEqual([200, { user, via: 'cookie', ...ends }]);
    expect(outcome(await session({ key: null }))).toEqual(UNAUTHORIZED);
    const brief = await createKey(subject, account.guid, { expires_at: '2024-03-01 00:05:00+0000' });
    expect((await session({ key: brief.key })).json.expires_at).toBe('2024-03-01 00:05:00+0000');
  });

  it('is kept alive by requests and the opening of streams, but not by what is repeated without a person', async () => {
    const cookie = await open();
    const id = await openCursor(subject, 'json "{}"', { key: account.key });
    const ask = (headers: Readonly<Record<string, string>> = {}) =>
      session({ key: null, headers: { cookie, ...headers } });
    clock.advance({ seconds: 300 });
    const opened = (await ask(REFRESH)).json.expires_at;
    expect((await ask({ 'x-vigil-refresh': 'false' })).json.expires_at).not.toBe(opened);
    clock.advance({ seconds: 599 });
    expect((await ask(REFRESH)).status).toBe(200);
    for (const path of [`/api/core/queries/${id}/events`, '/api/core/events/stream']) {
      const stream = await begin(subject.service.url, path, { cookie });
      stream.destroy();
      expect(stream.statusCode).toBe(200);
      clock.advance({ seconds: 599 });
      expect((await ask(REFRESH)).status).toBe(200);
    }
    clock.advance({ seconds: 1 });
    expect((await ask(REFRESH)).status).toBe(401);
    expect((await ask()).status).toBe(401);
  });

  it('of a key is not kept alive by them either', async () => {
    const { key } = await createKey(subject, account.guid);
    const end = async (headers = {}) => (await session({ key, headers })).json.expires_at;
    const first = await end();
    clock.advance({ seconds: 60 });
    expect(await end(REFRESH)).toBe(first);
    expect(await end()).not.toBe(first);
  });
});
