import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateFor } from '#test/support/certificates.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

type Row = readonly [forwarded: string | undefined, address: string];

/** X-Forwarded-For as the service gets it, and the address the request counts as coming from. */
const SUITES: readonly { proxies: string; rows: readonly Row[] }[] = [
  {
    proxies: '',
    rows: [
      [undefined, '127.0.0.1'],
      ['203.0.113.1', '127.0.0.1'],
      ['203.0.113.1, 127.0.0.1', '127.0.0.1'],
      ['garbage', '127.0.0.1'],
    ],
  },
  {
    proxies: '10.0.0.0/8, ::1',
    rows: [
      [undefined, '127.0.0.1'],
      ['203.0.113.1', '127.0.0.1'],
      ['203.0.113.1, 10.0.0.1', '127.0.0.1'],
    ],
  },
  {
    proxies: '127.0.0.0/8, 10.0.0.0/8, 2001:db8::/32',
    rows: [
      [undefined, '127.0.0.1'],
      ['203.0.113.1', '203.0.113.1'],
      ['203.0.113.1, 10.0.0.1', '203.0.113.1'],
      ['203.0.113.1,10.0.0.1,10.0.0.2', '203.0.113.1'],
      ['1.1.1.1, 203.0.113.1', '203.0.113.1'],
      ['10.0.0.9, 203.0.113.1', '203.0.113.1'],
      ['127.0.0.1, 203.0.113.1, 10.0.0.1', '203.0.113.1'],
      ['1.1.1.1, 203.0.113.1, 10.0.0.1, 2001:db8::1', '203.0.113.1'],
      ['  203.0.113.1  ,  10.0.0.1  ', '203.0.113.1'],
      ['2001:db9::5', '2001:db9::5'],
      ['203.0.113.1, 2001:db9::5, 2001:db8::5', '2001:db9::5'],
      ['::ffff:203.0.113.1', '203.0.113.1'],
      ['1.1.1.1, ::ffff:203.0.113.1, ::ffff:10.0.0.1', '203.0.113.1'],
    ],
  },
];

/** What stands in the header in place of an address must never pass for one. */
const GARBAGE = [
  '',
  'x',
  'unknown',
  '999.1.1.1',
  '203.0.113.1.5',
  "' or 1=1",
  '<b>',
  '_hidden',
  'localhost',
  ',,,',
  '::g',
];

for (const { proxies, rows } of SUITES) {
  describe(`The caller's address with the trusted proxies "${proxies}"`, () => {
    const { call } = serviceFor({ flags: { 'trusted-proxies': proxies } });
    const seen = async (forwarded: string | undefined) => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
      await call('POST', '/api/core/companies', { headers });
      const { json } = await call('GET', '/api/core/audit-logs?limit=1');
      return json.audit_logs[0].remote_ip;
    };

    it.each(rows)('X-Forwarded-For %j is %s', async (forwarded, address) => {
      expect(await seen(forwarded)).toBe(address);
    });

    it.each(GARBAGE)('is an address, whatever the header says: "%s"', async (text) => {
      for (const forwarded of [text, `${text}, 127.0.0.1`, `203.0.113.1, ${text}`]) {
        const address = await seen(forwarded);
        expect(isIP(address)).toBeGreaterThan(0);
        expect(address).not.toBe(text);
      }
      expect(await seen(`${text}, 203.0.113.1`)).toBe(proxies.startsWith('127') ? '203.0.113.1' : '127.0.0.1');
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'vigil-tls-'));
const cert = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');
const certificate = certificateFor('IP:127.0.0.1');
writeFileSync(cert, certificate.cert);
writeFileSync(key, certificate.key);

describe('TLS', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ alone: 'connection', flags: { 'tls-cert': cert, 'tls-key': key } });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, headers: Record<string, string>, body = '') => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string; cookie: string }>();
    const options = { method, headers, ca: certificate.cert };
    const sent = request(`${service.url}${path}`, options, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode ?? 0, text, cookie: answer.headers['set-cookie']?.[0] ?? '' });
    });
    sent.on('error', reject);
    sent.end(body);
    return promise;
  };

  it('is spoken when a certificate is set', async () => {
    expect(service.url).toMatch(/^https:/);
    expect((await ask('GET', '/healthz', {})).text).toBe('{"status":"ok"}');
    const answer = await ask('GET', '/api/core/users', { authorization: `Bearer ${MASTER_KEY}` });
    expect(answer.status).toBe(200);
  });

  it('makes the cookie Secure, and the own origin https', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const login = await ask('POST', '/api/core/sessions', type, `api_key=${MASTER_KEY}`);
    expect(login.cookie).toMatch(/; Secure(;|$)/);
    const cookie = login.cookie.split(';')[0] ?? '';
    const rename = (origin: string) =>
      ask('POST', '/api/core/companies', { ...type, cookie, origin }, `name=${encodeURIComponent(origin)}`);
    expect((await rename(service.url)).status).toBe(200);
    expect((await rename(service.url.replace('https', 'http'))).status).toBe(401);
  });

  it('takes a path of 100,000 characters too', async () => {
    const path = `/api/core/users/${'x'.repeat(100_000)}`;
    expect((await ask('GET', path, { authorization: `Bearer ${MASTER_KEY}` })).status).toBe(400);
  });
});
