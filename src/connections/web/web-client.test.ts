// Requests against servers of this machine: what is sent, what is refused, and what a hostile host can do.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { createServer as createPlainServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ResolveHost } from '#connections/checked-address.ts';
import { hostList } from '#kernel/net/host-list.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { certificateFor } from '#test/support/certificates.ts';
import { listening } from '#test/support/listening.ts';
import { type OutgoingRequest, sendRequest, type WebClientDeps } from './web-client.ts';
import { completedUrl, requestUrl } from './web-urls.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const seen: Seen[] = [];
const endless = (response: ServerResponse) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(Buffer.alloc(65_536, 'x')), 1);
  response.on('close', () => clearInterval(timer));
};

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/ok': (response) => void response.writeHead(200, { 'X-Own': 'a', 'Set-Cookie': ['a=1', 'b=2'] }).end('fine'),
  '/none': (response) => void response.writeHead(404).end('no'),
  '/slow': () => undefined,
  '/trickle': (response) => {
    response.writeHead(200).write('x');
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/endless': endless,
  '/here': (response) => void response.writeHead(302, { location: '/ok' }).end(),
  '/again': (response) => void response.writeHead(307, { location: '/ok' }).end(),
  '/loop': (response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/away': (response) => void response.writeHead(302, { location: 'http://127.0.0.2/ok' }).end(),
  '/upgrade': (response) => void response.writeHead(302, { location: 'https://127.0.0.1/ok' }).end(),
  '/user': (response) => void response.writeHead(302, { location: `//u:p@${response.req.headers.host}/ok` }).end(),
  '/broken': (response) => void response.writeHead(302, { location: 'http://[' }).end(),
  '/nowhere': (response) => void response.writeHead(302).end('stay'),
  '/closed': (response) => void response.socket?.destroy(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.socket?.destroy(), 20);
  },
};

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url = '', headers } = request;
  seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
  ANSWERS[url]?.(response);
});
const garbage = createPlainServer((socket) => void socket.end('no http at all\r\n\r\n'));
const certificate = certificateFor('DNS:api.example.com');
const secure = https.createServer(certificate, (_request, response) => void response.end('under TLS'));

let base = '';
let noise = '';
let tls = '';
beforeAll(async () => {
  base = await listening(server);
  noise = await listening(garbage);
  tls = (await listening(secure)).replace(/^.*:/, '');
});
afterAll(() => {
  server.closeAllConnections();
  secure.closeAllConnections();
  for (const one of [server, garbage, secure]) one.close();
});

interface Sent extends Partial<OutgoingRequest> {
  readonly hosts?: readonly string[];
  readonly resolve?: ResolveHost;
  readonly signal?: AbortSignal;
}

async function send(path: string, { hosts = ['127.0.0.1'], resolve, signal, ...more }: Sent = {}) {
  const deps: WebClientDeps = {
    hosts: hostList(hosts),
    clock: systemClock,
    begin: () => undefined,
    ...(resolve ? { resolve } : {}),
  };
  const answer = await sendRequest(
    {
      url: new URL(path, base),
      method: 'get',
      headers: {},
      body: null,
      maxBytes: 1_000_000,
      // For what hangs.
      timeout: Temporal.Duration.from({ minutes: 2 }),
      ...more,
    },
    deps,
    signal ?? new AbortController().signal,
  );
  if (!('bytes' in answer)) return answer;
  return { code: answer.code, text: Buffer.from(answer.bytes).toString(), headers: Object.fromEntries(answer.headers) };
}

describe('A request', () => {
  it('is sent as asked for, and gives code, headers and bytes', async () => {
    seen.length = 0;
    const answer = await send('/ok', { method: 'post', headers: { 'x-a': 'b' }, body: '{"a":1}' });
    expect(seen).toMatchObject([{ line: 'POST /ok', body: '{"a":1}', headers: { 'x-a': 'b', 'content-length': '7' } }]);
    expect(answer).toMatchObject({ code: 200 });
    expect(await send('/ok')).toMatchObject({
      code: 200,
      text: 'fine',
      headers: { 'x-own': 'a', 'set-cookie': 'a=1, b=2' },
    });
    expect(await send('/none')).toMatchObject({ code: 404, text: 'no' });
    expect(await send('/ok', { method: 'head' })).toMatchObject({ code: 200, text: '' });
  });

  it.each([
    ['/endless', { error: 'too-large' }],
    ['/closed', { error: 'unreachable' }],
    ['/cut', { error: 'unreachable' }],
    ['/loop', { error: 'redirect-refused', code: 302 }],
    ['/away', { error: 'redirect-refused', code: 302 }],
    ['/upgrade', { error: 'redirect-refused', code: 302 }],
    ['/user', { error: 'redirect-refused', code: 302 }],
    ['/broken', { error: 'redirect-refused', code: 302 }],
    ['/nowhere', { code: 302, text: 'stay' }],
    ['/here', { code: 200, text: 'fine' }],
  ])('of %s ends with %j', async (path, answer) => {
    expect(await send(path)).toMatchObject(answer);
  });

  it.each(['/slow', '/trickle'])('of %s ends when its time is over', async (path) => {
    expect(await send(path, { timeout: Temporal.Duration.from({ milliseconds: 500 }) })).toEqual({ error: 'timeout' });
  });

  it('is repeated with its body by a redirect that says so, and asked for by any other', async () => {
    seen.length = 0;
    const asked = { method: 'post', headers: { 'content-type': 'text/plain' }, body: 'x' };
    await send('/again', asked);
    await send('/here', asked);
    expect(seen.map(({ line, body }) => `${line} ${body}`)).toEqual([
      'POST /again x',
      'POST /ok x',
      'POST /here x',
      'GET /ok ',
    ]);
  });

  it('of no server, or of one that speaks no HTTP, is unreachable', async () => {
    expect(await send('/', { url: new URL(noise) })).toEqual({ error: 'unreachable' });
    expect(await send('/', { url: new URL('http://127.0.0.1:1/') })).toEqual({ error: 'unreachable' });
    expect(
      await send('/', { url: new URL('http://none.example/'), hosts: ['none.example'], resolve: async () => [] }),
    ).toEqual({ error: 'unreachable' });
  });

  it('goes to listed hosts alone, and not to internal addresses behind a listed name', async () => {
    const { port } = new URL(base);
    const url = new URL(`http://api.example.com:${port}/ok`);
    const to = (...addresses: readonly string[]) => ({
      url,
      resolve: async () => addresses.map((address) => ({ address })),
    });
    expect(await send('/ok', { hosts: [] })).toEqual({ error: 'host-not-allowed' });
    expect(await send('/ok', { hosts: [`127.0.0.1:${Number(port) + 1}`] })).toEqual({ error: 'host-not-allowed' });
    const named = { hosts: ['api.example.com'] };
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '0.0.0.0',
    ]) {
      expect(await send('/ok', { ...named, ...to(address) }), address).toEqual({ error: 'address-not-allowed' });
      expect(await send('/ok', { ...named, ...to('203.0.113.1', address) }), address).toEqual({
        error: 'address-not-allowed',
      });
    }
    expect(await send('/ok', { hosts: ['api.example.com', '127.0.0.1'], ...to('127.0.0.1') })).toMatchObject({
      text: 'fine',
    });
  });

  it('asks the resolver once, and checks it again for a redirect', async () => {
    const { port } = new URL(base);
    let asked = 0;
    const rebinding: ResolveHost = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2' }];
    };
    const hosts = ['api.example.com', '127.0.0.1'];
    const url = new URL(`http://api.example.com:${port}/ok`);
    expect(await send('/', { url, hosts, resolve: rebinding })).toMatchObject({ text: 'fine' });
    expect(asked).toBe(1);
    asked = 0;
    const redirecting = new URL(`http://api.example.com:${port}/here`);
    expect(await send('/', { url: redirecting, hosts, resolve: rebinding })).toEqual({ error: 'address-not-allowed' });
  });

  it('under TLS trusts the authority of its profile for the name alone', async () => {
    const resolve: ResolveHost = async () => [{ address: '127.0.0.1' }];
    const hosts = ['api.example.com', 'other.example.com', '127.0.0.1'];
    const to = (host: string) => ({ url: new URL(`https://${host}:${tls}/`), hosts, resolve });
    expect(await send('/', { ...to('api.example.com'), ca: certificate.cert })).toMatchObject({ text: 'under TLS' });
    expect(await send('/', to('api.example.com'))).toEqual({ error: 'tls' });
    expect(await send('/', { ...to('other.example.com'), ca: certificate.cert })).toEqual({ error: 'tls' });
    const plain = new URL(base.replace('http:', 'https:'));
    expect(await send('/', { url: plain })).toEqual({ error: 'tls' });
  });

  it('keeps no cookies, takes no proxy of the environment, and ends with its signal', async () => {
    seen.length = 0;
    vi.stubEnv('http_proxy', 'http://127.0.0.1:1');
    await send('/ok');
    expect(await send('/ok')).toMatchObject({ text: 'fine' });
    vi.unstubAllEnvs();
    expect(seen.some(({ headers }) => headers.cookie !== undefined)).toBe(false);
    const stopping = new AbortController();
    const waiting = send('/slow', { signal: stopping.signal });
    stopping.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});

describe('The url of a request', () => {
  it.each([
    ['https://api.example.com/v1/', 'c', 'https://api.example.com/v1/c'],
    ['https://api.example.com/v1', '/c?d=e#f', 'https://api.example.com/v1/c?d=e#f'],
    ['https://api.example.com', null, 'https://api.example.com/'],
    ['https://api.example.com/v1', '', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/', '//evil.example/', 'https://api.example.com/v1/evil.example/'],
    ['https://api.example.com/v1/', '@evil.example', 'https://api.example.com/v1/@evil.example'],
    ['https://api.example.com/v1/', 'a?b=../../c', 'https://api.example.com/v1/a?b=../../c'],
    ['https://api.example.com/v1/', '../admin', undefined],
    ['https://api.example.com/v1/', 'a/../../admin', undefined],
    ['https://api.example.com/v1/', '%2e%2e/admin', undefined],
    ['https://api.example.com/v1/', '..%2fadmin', undefined],
    ['https://api.example.com/v1/', '..\\admin', undefined],
    ['https://api.example.com/v1/', '.\t./admin', undefined],
    ['https://api.example.com/v1/', '%', undefined],
  ])('%s with the path %j is %s', (root, path, url) => {
    expect(completedUrl(root, path)?.href).toBe(url);
  });

  it.each([
    'ftp://a/',
    'a',
    '',
    'http://',
    'http://u@a/',
    'http://@a/',
    'http://u:p@a/',
    'ht\ntp://u@a/',
    'file:///etc/hosts',
    'javascript:1',
  ])('is none: %j', (text) => {
    expect(requestUrl(text)).toBeUndefined();
  });
});
