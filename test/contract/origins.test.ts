// What pages of other origins can make a browser do: nothing. And what TLS, also that of a trusted proxy, changes for a console.

import { beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY, type Reply, send } from '#test/support/service.ts';
import { outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';

const SESSIONS = '/api/core/sessions';
const COMPANIES = '/api/core/companies';
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');
const PROXIED = { 'x-forwarded-proto': 'https' };

const cookieOf = ({ headers }: Reply) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const login = ({ call }: Pick<Subject, 'call'>, headers: Record<string, string> = {}) =>
  call('POST', SESSIONS, { key: null, headers, form: { api_key: MASTER_KEY } });
const hostOf = ({ service }: Subject) => new URL(service.url).host;

describe('Opening a session', () => {
  const subject = serviceFor({ flags: { 'public-origins': 'https://vigil.example' } });

  it.each(['http://evil.example', 'null', 'https://vigil.example.evil', 'http://vigil.example', 'https://127.0.0.1'])(
    'is refused to a page of %s',
    async (origin) => {
      const answer = await login(subject, { origin });
      expect(outcome(answer)).toEqual(UNAUTHORIZED);
      expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );

  it('is allowed to pages of the service itself and to whoever names no origin', async () => {
    for (const origin of [subject.service.url, 'https://vigil.example']) {
      expect((await login(subject, { origin })).status).toBe(200);
    }
    expect((await login(subject)).status).toBe(200);
  });

  it('lets pages of public-origins change things with its cookie', async () => {
    const cookie = cookieOf(await login(subject));
    const create = (origin: string) =>
      subject.call('POST', COMPANIES, { key: null, headers: { cookie, origin }, form: { name: origin } });
    expect((await create('https://vigil.example')).status).toBe(200);
    expect(outcome(await create('https://other.example'))).toEqual(UNAUTHORIZED);
  });
});

describe('Behind a trusted proxy with TLS', () => {
  const subject = serviceFor({ flags: { 'trusted-proxies': '127.0.0.1', hsts: '31536000' } });
  const { call } = subject;

  it('the cookie is Secure and of the name that browsers hold to its host', async () => {
    const answer = await login(subject, PROXIED);
    const attributes = (answer.headers.get('set-cookie') ?? '').split('; ').slice(1).sort();
    expect(cookieOf(answer)).toMatch(/^__Host-vigil_session=[\w-]{20,}$/);
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  it('that name alone is read, and the other one without TLS', async () => {
    const [, token = ''] = cookieOf(await login(subject, PROXIED)).split('=');
    const status = async (cookie: string, headers: Record<string, string>) =>
      (await call('GET', COMPANIES, { key: null, headers: { cookie, ...headers } })).status;
    expect(await status(`__Host-vigil_session=${token}`, PROXIED)).toBe(200);
    expect(await status(`vigil_session=${token}`, PROXIED)).toBe(401);
    expect(await status(`vigil_session=${token}`, {})).toBe(200);
    expect(await status(`__Host-vigil_session=${token}`, {})).toBe(401);
  });

  it('the own origin is https', async () => {
    const cookie = cookieOf(await login(subject, PROXIED));
    const create = (origin: string) =>
      call('POST', COMPANIES, { key: null, headers: { cookie, origin, ...PROXIED }, form: { name: origin } });
    expect((await create(`https://${hostOf(subject)}`)).status).toBe(200);
    expect(outcome(await create(`http://${hostOf(subject)}`))).toEqual(UNAUTHORIZED);
  });

  it('every answer tells browsers to come back under TLS, and only under TLS', async () => {
    const header = async (path: string, headers: Record<string, string>) =>
      (await call('GET', path, { headers })).headers.get('strict-transport-security');
    for (const path of [COMPANIES, '/healthz', '/api/core/nothing', `${COMPANIES}?x=%zz`]) {
      expect([path, await header(path, PROXIED)]).toEqual([path, 'max-age=31536000']);
      expect([path, await header(path, {})]).toEqual([path, null]);
      expect([path, await header(path, { 'x-forwarded-proto': 'http' })]).toEqual([path, null]);
    }
  });
});

describe('Whoever is no trusted proxy', () => {
  const subject = serviceFor({ flags: { 'trusted-proxies': '203.0.113.1', hsts: '60' } });

  it('cannot say that a request came under TLS', async () => {
    const answer = await login(subject, PROXIED);
    expect(cookieOf(answer)).toMatch(/^vigil_session=/);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });
});

const SINKS = [
  'json "{a:1}" | import target',
  'json "{a:1}" | outputcsv out.csv a',
  'json "{a:1}" | memlookup op=build name=m key=a a',
  'memlookup op=list',
  'json "{a:1}" | union [ json "{a:2}" | import target ]',
  'setq [ proc nested() ] | json "{a:1}"',
  'json "{a:1}" | union [ json "{a:2}" | memlookup op=build name=m key=a a ]',
  'setq [ json "{n:1}" ] | json "{a:1}" | search a == $("n") | import target',
  'json "[{a:1,b:2}]" | pivot sum(a) cols b | import target',
  'proc sinks()',
  'proc nested()',
  'json "{a:1}" | union [ proc nested() ]',
];

describe('GET /query with a cookie', () => {
  const subject = serviceFor();
  const { call } = subject;
  let cookie = '';
  beforeAll(async () => {
    await createLogger(subject, { table: 'target' });
    const procedure = (name: string, query: string) => call('POST', '/api/core/procedures', { form: { name, query } });
    expect((await procedure('sinks', 'json "{a:1}" | memlookup op=build name=p key=a a')).status).toBe(200);
    expect((await procedure('nested', 'proc sinks()')).status).toBe(200);
    cookie = cookieOf(await login(subject));
  });
  const ask = (q: string, headers: Record<string, string>, key: string | null = null) =>
    call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, { key, headers });

  it.each(SINKS)('does not run %s for a page of another origin, or of none', async (q) => {
    const entries = await entriesOf(subject, async () => {
      for (const headers of [{ cookie }, { cookie, origin: 'http://evil.example' }, { cookie, origin: 'null' }]) {
        expect([q, ...outcome(await ask(q, headers))]).toEqual([q, ...UNAUTHORIZED]);
      }
    });
    expect(entries).toEqual([]);
    expect((await call('POST', '/api/core/queries/check', { form: { q } })).json.mistakes).toEqual([]);
    expect(await rowsOf(subject, 'table target | stats count')).toEqual([{ count: 0 }]);
    expect(await rowsOf(subject, 'memlookup op=list')).toEqual([]);
    expect((await call('GET', '/api/core/queries?keywords=import target')).json.total_count).toBe(0);
  });

  it('reads for every page, whose browser keeps the answer from it', async () => {
    const { status, text } = await ask('json "{a:1}"', { cookie, origin: 'http://evil.example' });
    expect([status, text]).toEqual([200, '{"a":1}\n']);
  });

  it('runs them for pages of the service itself, and a key runs them without an origin', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'with-a-key' });
    expect((await ask(SINKS[0] ?? '', { cookie, origin: subject.service.url })).status).toBe(200);
    expect((await ask('proc nested()', {}, MASTER_KEY)).status).toBe(200);
    expect((await ask('json "{a:1}" | memlookup op=build name=m key=a a', {}, key)).status).toBe(200);
    expect(await rowsOf(subject, 'table target | stats count')).toEqual([{ count: 1 }]);
  });
});

describe('A console session', () => {
  const subject = serviceFor();
  const { call, clock } = subject;

  it('is over after 30 days, however much it is used', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'diligent', idle_timeout: '86400' });
    const opened = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
    const cookie = cookieOf(opened);
    const status = async () => (await call('GET', '/api/core/users', { key: null, headers: { cookie } })).status;
    /** Nodes write down every 30 seconds which sessions they have met; writes of a node come one after the other. */
    const written = () =>
      Promise.all(
        subject.service.nodeUrls.map((url) => send(`${url}${COMPANIES}`, 'POST', { form: { name: newGuid() } })),
      );
    for (let half = 0; half < 60; half += 1) {
      expect([half, await status()]).toEqual([half, 200]);
      clock.leap({ hours: 12 });
      await written();
    }
    expect(await status()).toBe(401);
    expect((await call('GET', '/api/core/users', { key })).status).toBe(200);
  });
});
