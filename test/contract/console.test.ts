// The console in the service: which requests get its page, how its files are sent, and what happens without a build.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MANIFEST_FILE } from '#runtime/bundle.ts';
import { sendBytes } from '#test/support/raw-http.ts';
import { outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SCRIPT = 'console.log("한글");\n'.repeat(20);
const ASSET = '/assets/index-a1b2c3.js';
const INDEX =
  '<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><script src="/assets/index-a1b2c3.js"></script>';

function builtConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-console-'));
  writeBuild(folder);
  return folder;
}

function writeBuild(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, ASSET), SCRIPT);
  writeFileSync(join(folder, `${ASSET}.br`), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, `${ASSET}.gz`), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/unlisted.js'), 'secret');
  writeFileSync(
    join(folder, MANIFEST_FILE),
    JSON.stringify({ sources: [], assets: [ASSET.slice(1)], first: [], pages: {} }),
  );
}

const asker =
  (subject: Subject) =>
  (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    subject.call(method, path, { key: null, headers });

describe('The console', () => {
  const subject = serviceFor({ consoleFolder: builtConsole() });
  const ask = asker(subject);

  it.each([
    '/',
    '/search',
    '/events/some/where?q=1',
    '/no-such',
    '/favicon.ico',
    '/assets/gone.js',
    '/apis',
    '/core/users',
  ])('answers a browser at %s with its page', async (path) => {
    const { status, headers, text } = await ask('GET', path, { accept: BROWSER });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const [, nonce = ''] = /'nonce-([\w+/=]{24})'/.exec(headers.get('content-security-policy') ?? '') ?? [];
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; ` +
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).toBe(INDEX.replace('__NONCE__', nonce));
  });

  it('has another nonce in each answer', async () => {
    const policies = await Promise.all(
      [1, 2, 3].map(async () => (await ask('GET', '/')).headers.get('content-security-policy')),
    );
    expect(new Set(policies).size).toBe(3);
  });

  it('is what / shows to every client, where no protocol of senders takes it', async () => {
    expect((await ask('GET', '/', { accept: '*/*' })).text).toContain('<!doctype html>');
    const head = await ask('HEAD', '/');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBe(INDEX.length - '__NONCE__'.length + 24);
  });

  it.each([
    ['GET', '/api', BROWSER, refused(404, 'not-found', 'no such operation: GET /api')],
    ['GET', '/api/core/nothing', BROWSER, refused(404, 'not-found', 'no such operation: GET /api/core/nothing')],
    ['GET', '/search', '*/*', refused(404, 'not-found', 'no such operation: GET /search')],
    [
      'GET',
      '/search',
      'application/json, text/html;q=0.9',
      refused(404, 'not-found', 'no such operation: GET /search'),
    ],
    ['POST', '/', BROWSER, refused(404, 'not-found', 'no such operation: POST /')],
    ['POST', '/search', BROWSER, refused(404, 'not-found', 'no such operation: POST /search')],
    ['POST', '/healthz', BROWSER, refused(405, 'method-not-allowed', 'method not allowed: POST /healthz')],
    ['GET', '/assets/gone.js', '*/*', refused(404, 'not-found', 'no such operation: GET /assets/gone.js')],
    ['GET', '/assets/unlisted.js', '*/*', refused(404, 'not-found', 'no such operation: GET /assets/unlisted.js')],
    ['POST', ASSET, '*/*', refused(404, 'not-found', `no such operation: POST ${ASSET}`)],
  ])('leaves %s %s with Accept %s to the operations', async (method, path, accept, refusal) => {
    expect(outcome(await ask(method, path, { accept }))).toEqual(refusal);
  });

  it('leaves operations at the root alone', async () => {
    expect((await ask('GET', '/healthz', { accept: BROWSER })).json).toEqual({ status: 'ok' });
    expect((await ask('GET', '/docs', { accept: BROWSER })).text).not.toContain('csp-nonce');
  });

  it('sends files by the encoding that a client accepts, kept for a year', async () => {
    for (const [accepted, encoding, bytes] of [
      ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT).length],
      ['gzip', 'gzip', gzipSync(SCRIPT).length],
      ['br;q=0, gzip;q=0.5', 'gzip', gzipSync(SCRIPT).length],
      ['identity', null, Buffer.byteLength(SCRIPT)],
    ] as const) {
      const { status, headers, text } = await ask('GET', ASSET, { 'accept-encoding': accepted });
      expect([status, text]).toEqual([200, SCRIPT]);
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('accept-encoding');
      const head = await ask('HEAD', ASSET, { 'accept-encoding': accepted });
      expect([Number(head.headers.get('content-length')), head.text]).toEqual([bytes, '']);
    }
  });

  it('answers 304 for a file that a client has', async () => {
    const etag = (await ask('GET', ASSET)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await ask('GET', ASSET, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await ask('GET', ASSET, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    '/assets/../manifest.json',
    '/assets/..%2fmanifest.json',
    '/assets/%2e%2e/manifest.json',
    '/assets//etc/passwd',
    '/assets/',
  ])('reads no other file: %s', async (path) => {
    const { status, text } = await sendBytes(
      subject.service.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(404);
    expect(text).not.toContain('sources');
  });

  it('is not held up by a long header', async () => {
    const accept = `${','.repeat(500_000)}text/html`;
    expect((await ask('GET', '/search', { accept })).status).toBe(404);
  });
});

describe('Without a build, the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-console-'));
  const subject = serviceFor({ consoleFolder: folder });
  const ask = asker(subject);

  it('says how to build it, and is there once it is built', async () => {
    const { status, headers, text } = await ask('GET', '/', { accept: BROWSER });
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(text).toContain('npm run build');
    expect((await ask('GET', ASSET)).status).toBe(404);
    writeBuild(folder);
    expect((await ask('GET', '/', { accept: BROWSER })).status).toBe(200);
    expect((await ask('GET', ASSET)).text).toBe(SCRIPT);
  });
});

describe('Beside the protocol of Elasticsearch, the console', () => {
  const subject = serviceFor({ consoleFolder: builtConsole(), flags: { senders: 'elasticsearch' } });
  const ask = asker(subject);

  it('has / and every other path of a browser, and clients have theirs', async () => {
    expect((await ask('GET', '/', { accept: BROWSER })).text).toContain('<!doctype html>');
    expect((await ask('HEAD', '/', { accept: BROWSER })).headers.get('content-type')).toContain('text/html');
    expect((await ask('HEAD', '/search', { accept: BROWSER })).status).toBe(200);
    expect((await ask('GET', '/web/_doc', { accept: BROWSER })).text).toContain('<!doctype html>');
    expect((await ask('GET', '/_bulk', { accept: BROWSER })).status).toBe(405);
    const probe = await subject.call('GET', '/', { headers: { accept: '*/*' } });
    expect(probe.json).toMatchObject({ tagline: 'You Know, for Search' });
    expect((await ask('GET', '/', { accept: 'application/json' })).status).toBe(401);
    expect((await subject.call('HEAD', '/nothing', { headers: { accept: '*/*' } })).status).toBe(404);
  });
});

describe('With allowed-hosts, the console', () => {
  const subject = serviceFor({ consoleFolder: builtConsole(), flags: { 'allowed-hosts': 'vigil.example' } });

  it.each(['/', '/search', ASSET])('is not shown under another name: %s', async (path) => {
    const { status } = await sendBytes(
      subject.service.url,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(421);
  });
});
