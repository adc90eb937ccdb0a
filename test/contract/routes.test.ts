import { describe, expect, it } from 'vitest';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const GUID = '00000000-0000-4000-8000-000000000000';
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];

/** The path index, chapter 15 of the reference, as far as it is built; HEAD goes with GET. */
const PATHS: readonly [path: string, methods: readonly string[]][] = [
  ['/api/core/users', ['GET', 'POST', 'DELETE']],
  [`/api/core/users/${GUID}`, ['GET', 'PUT']],
  ['/api/core/users/__proto__', ['GET', 'PUT']],
  [`/api/core/users/${GUID}/api-keys`, ['GET', 'POST']],
  [`/api/core/users/${GUID}/api-keys/${GUID}`, ['DELETE']],
  ['/api/core/user-groups', ['GET', 'POST', 'DELETE']],
  [`/api/core/user-groups/${GUID}`, ['GET', 'PUT']],
  ['/api/core/companies', ['GET', 'POST', 'DELETE']],
  [`/api/core/companies/${GUID}`, ['GET', 'PUT']],
  ['/api/core/sessions', ['GET', 'POST', 'DELETE']],
  ['/api/core/nodes', ['GET']],
  ['/api/core/settings', ['GET']],
  ['/api/core/dashboards', ['GET', 'POST', 'DELETE']],
  [`/api/core/dashboards/${GUID}`, ['GET', 'PUT']],
  [`/api/core/alarm-groups/${GUID}/test`, ['POST']],
  ['/api/core/parsers/preview', ['GET', 'PUT', 'POST']],
  ['/api/core/audit-logs', ['GET']],
  ['/api/core/audit-logs/export', ['GET']],
  ['/api/core/audit-logs/proof', ['GET']],
  ['/api/core/upload-streams', ['GET', 'POST', 'DELETE', 'OPTIONS']],
  [`/api/core/upload-streams/${GUID}`, ['GET', 'PATCH', 'DELETE']],
  [`/api/core/upload-streams/${GUID}/complete`, ['POST']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
  ['/metrics', ['GET']],
  ['/openapi.json', ['GET']],
  ['/docs', ['GET']],
];

const allowed = (header: string | null) =>
  (header ?? '')
    .split(',')
    .map((method) => method.trim())
    .sort();

describe('A path', () => {
  const subject = serviceFor();
  const { call } = subject;

  it.each(PATHS)('%s answers %j alone', async (path, methods) => {
    const all = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
    for (const method of METHODS.filter((candidate) => !methods.includes(candidate))) {
      const answer = await call(method, `${path}?a=b`, { key: null });
      expect(outcome(answer)).toEqual(refused(405, 'method-not-allowed', `method not allowed: ${method} ${path}`));
      expect(allowed(answer.headers.get('allow'))).toEqual(all);
    }
    for (const method of methods) expect((await call(method, path, { key: null })).status).not.toBe(405);
    const head = await fetch(`${subject.service.url}${path}`, { method: 'HEAD' });
    expect(head.status === 405).toBe(!methods.includes('GET'));
    expect(head.status).not.toBe(404);
    expect(await head.text()).toBe('');
  });

  it.each([
    '/api',
    '/api/core',
    '/api/core/',
    '/api/core/user',
    '/api/core/Users',
    '/API/core/users',
    '/api/core//users',
    '//api/core/users',
    '/api/core/users/a/b',
    '/api/core/audit-logs/x',
    '/api/core/__proto__',
    '/api/core/constructor',
    '/api/core/toString',
    '/__proto__',
    '/constructor/prototype',
    '/hasOwnProperty',
    '/healthz/x',
    '/core/users',
    '/api/v1/users',
    '/favicon.ico',
    '/api/core/%zz',
    '/api/core/%ff%fe',
    '/api/core/%00',
  ])('that is none, %s, is 404 for every method, with or without a key', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      for (const key of [null, MASTER_KEY]) {
        const answer = await call(method, `${path}?x=1`, { key });
        expect(outcome(answer)).toEqual(refused(404, 'not-found', `no such operation: ${method} ${path}`));
      }
    }
  });

  it.each([
    ['GET', '/api/core/users/', refused(400, 'null-argument', 'guid should be not null')],
    ['PUT', '/api/core/users/', refused(400, 'null-argument', 'guid should be not null')],
    ['GET', '/api/core/users//api-keys', refused(400, 'null-argument', 'guid should be not null')],
    ['DELETE', `/api/core/users/${GUID}/api-keys/`, refused(400, 'null-argument', 'key_guid should be not null')],
  ])('with an empty segment has an empty parameter: %s %s', async (method, path, complaint) => {
    expect(outcome(await call(method, path))).toEqual(complaint);
  });

  it.each([
    ['x'],
    ['__proto__'],
    ['constructor'],
    ['..%2f..'],
    ['%25'],
    [GUID.slice(1)],
    [`${GUID}%20`],
    [`%7B${GUID}%7D`],
  ])('hands its segments to the operation, whatever they are: %s', async (segment) => {
    const answer = await call('GET', `/api/core/users/${segment}`);
    expect(outcome(answer)).toEqual(refused(400, 'invalid-param-type', 'guid should be guid type.'));
  });

  it.each([
    ['letters', 'x'.repeat(100_000)],
    ['escaped letters', '%EC%95%88'.repeat(100_000)],
  ])('may have a segment of 100,000 %s', async (_, segment) => {
    const answer = await call('GET', `/api/core/users/${segment}`);
    expect(outcome(answer)).toEqual(refused(400, 'invalid-param-type', 'guid should be guid type.'));
    const path = `/${segment}`;
    expect(outcome(await call('GET', path))).toEqual(refused(404, 'not-found', `no such operation: GET ${path}`));
  });

  it.each(['%zz', '%ff', '%e0%80', '%ed%a0%80', '%00', 'a%00b', '%'])(
    'that does not decode is refused: %s',
    async (segment) => {
      const answer = await call('GET', `/api/core/users/${segment}`);
      expect(outcome(answer)).toEqual(refused(400, 'invalid-argument', 'malformed request'));
    },
  );

  it('may be percent-encoded', async () => {
    const encoded = GUID.replaceAll('-', '%2D').replaceAll('4', '%34');
    expect(outcome(await call('GET', `/api/core/users/${encoded}`))).toEqual([200, { user: null }]);
  });
});

describe('HEAD', () => {
  const subject = serviceFor();

  it.each([
    '/api/core/users',
    '/api/core/audit-logs?limit=1',
    '/api/core/audit-logs?limit=x',
    `/api/core/users/${GUID}`,
    '/api/core/nothing',
    '/healthz',
    '/readyz',
  ])('is answered like GET, without a body: %s', async (path) => {
    const { url } = subject.service;
    const ask = (method: string) =>
      fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${MASTER_KEY}` } });
    const head = await ask('HEAD');
    const get = await ask('GET');
    expect(await head.text()).toBe('');
    expect(head.status).toBe(get.status);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    // The name of the method is part of the message of 404.
    if (get.status !== 404) expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it('without a key is 401', async () => {
    const head = await fetch(`${subject.service.url}/api/core/users`, { method: 'HEAD' });
    expect([head.status, head.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
