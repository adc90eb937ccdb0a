import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendAndLeave, sendBytes } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const COMPANIES = '/api/core/companies';
const FORM = 'application/x-www-form-urlencoded';
const SIXTEEN_MIB = 16 * 1024 * 1024;
const tooLarge = (bytes: number) =>
  refused(413, 'request-too-large', `request body must be shorter than or equal to ${bytes} bytes.`);
const unsupported = (type: string) => refused(415, 'unsupported-media-type', `unsupported content type: ${type}`);
const TOO_LONG = refused(400, 'invalid-argument', "'description' must be shorter than or equal to 2000 characters.");

describe('The size of a body', () => {
  const subject = serviceFor();
  const { call } = subject;
  const post = (body: string, headers: Record<string, string> = {}) =>
    call('POST', COMPANIES, { body, headers: { 'content-type': FORM, ...headers } });
  const ofSize = (bytes: number) => 'name=x&description='.padEnd(bytes, 'd');

  it('is at most 16 MiB', async () => {
    expect(outcome(await post(ofSize(SIXTEEN_MIB)))).toEqual(TOO_LONG);
    expect(outcome(await post(ofSize(SIXTEEN_MIB + 1)))).toEqual(tooLarge(16777216));
  });

  it('is refused while it arrives when it was not announced', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly [number | undefined, unknown]>();
    const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': FORM };
    const sent = request(`${subject.service.url}${COMPANIES}`, { method: 'POST', headers }, async (answer) => {
      resolve([answer.statusCode, JSON.parse(Buffer.concat(await answer.toArray()).toString())]);
    });
    sent.on('error', reject);
    for (let part = 0; part < 18; part += 1) sent.write(Buffer.alloc(1024 * 1024, 'd'));
    sent.end();
    expect(await promise).toEqual(tooLarge(16777216));
  });

  it('holds for DELETE and JSON too', async () => {
    const json = { guids: '0'.repeat(SIXTEEN_MIB) };
    expect(outcome(await call('DELETE', '/api/core/users', { json }))).toEqual(tooLarge(16777216));
  });

  it('may be empty, whatever its type', async () => {
    const missing = refused(400, 'null-argument', 'name should be not null');
    expect(outcome(await call('POST', COMPANIES))).toEqual(missing);
    expect(outcome(await call('POST', COMPANIES, { body: '', headers: { 'content-type': FORM } }))).toEqual(missing);
  });
});

describe('A larger limit', () => {
  const { call } = serviceFor({ alone: 'connection', flags: { 'body-limit': String(64 * 1024 * 1024) } });
  const TWENTY_MB = 20_000_000;

  it('takes texts of 20 MB, plain, escaped and in JSON', async () => {
    const headers = { 'content-type': FORM };
    const plain = { body: `name=x&description=${'d'.repeat(TWENTY_MB)}`, headers };
    expect(outcome(await call('POST', COMPANIES, plain))).toEqual(TOO_LONG);
    const escaped = { body: `name=x&description=${'%EC%95%88'.repeat(TWENTY_MB / 10)}`, headers };
    expect(outcome(await call('POST', COMPANIES, escaped))).toEqual(TOO_LONG);
    const json = { name: 'x', description: '\\"'.repeat(TWENTY_MB / 4), unknown: 'u'.repeat(TWENTY_MB) };
    expect(outcome(await call('POST', COMPANIES, { json }))).toEqual(TOO_LONG);
  });

  it('takes integers of a million digits', async () => {
    const json = { login: 'x', name: 'x', role: 'MEMBER', idle_timeout: '9'.repeat(1_000_000) };
    const refusal = refused(400, 'invalid-argument', "'idle_timeout' must be less than or equal to 86400.");
    expect(outcome(await call('POST', '/api/core/users', { json }))).toEqual(refusal);
  });

  it('is named when it is passed', async () => {
    const body = `name=${'x'.repeat(64 * 1024 * 1024)}`;
    const answer = await call('POST', COMPANIES, { body, headers: { 'content-type': FORM } });
    expect(outcome(answer)).toEqual(tooLarge(67108864));
  });
});

describe('The type of a body', () => {
  const subject = serviceFor();

  it.each([
    'text/plain',
    'text/plain;charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded2',
    '*/*',
  ])('is not %s', async (type) => {
    const answer = await subject.call('POST', COMPANIES, { body: 'name=x', headers: { 'content-type': type } });
    expect(outcome(answer)).toEqual(unsupported(type));
  });

  it.each(['json', 'application', 'application/', '/', ' ', 'application/json, text/plain'])(
    'is not "%s", which is no type at all',
    async (type) => {
      const head = `POST ${COMPANIES} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${MASTER_KEY}\r\n`;
      const rest = `content-type: ${type}\r\ncontent-length: 6\r\nconnection: close\r\n\r\nname=x`;
      const { status, text } = await sendBytes(subject.service.url, head + rest);
      expect([status, JSON.parse(text)]).toEqual(unsupported(type.trim()));
    },
  );

  it('is not missing', async () => {
    const body = new TextEncoder().encode('name=x');
    const answer = await subject.call('POST', COMPANIES, { body });
    expect([answer.status, answer.json.error_code]).toEqual([415, 'unsupported-media-type']);
  });

  it.each(['br', 'zstd', 'unknown', 'compress'])('is not one in the encoding %s', async (encoding) => {
    const headers = { 'content-type': FORM, 'content-encoding': encoding };
    const answer = await subject.call('POST', COMPANIES, { body: 'name=x', headers });
    expect([answer.status, answer.json.error_code]).toEqual([415, 'unsupported-media-type']);
    expect(answer.json.error_msg).toMatch(/^unsupported content type: /);
  });

  it('is of no interest to GET', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await subject.call('GET', COMPANIES, { headers })).status).toBe(200);
  });
});

const MALFORMED = refused(400, 'invalid-argument', 'malformed request');
const HEAD_TOO_LONG = refused(431, 'request-too-large', 'request line or headers are too long');

describe('Bytes that are no request', () => {
  const subject = serviceFor({ alone: 'connection' });

  it.each([
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', MALFORMED],
    ['words', 'hello there\r\n\r\n', MALFORMED],
    ['an unknown method', 'FROBNICATE /api/core/users HTTP/1.1\r\nhost: x\r\n\r\n', MALFORMED],
    ['an unknown protocol', 'GET /healthz SMTP/1.1\r\nhost: x\r\n\r\n', MALFORMED],
    ['a header that is none', 'GET /healthz HTTP/1.1\r\nhost: x\r\nno colon here\r\n\r\n', MALFORMED],
    ['a header with NUL', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n', MALFORMED],
    ['a wrong length', 'POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n', MALFORMED],
    ['two lengths', 'POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', MALFORMED],
    [
      'a length and chunks',
      'POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      MALFORMED,
    ],
    [
      'a header of two million characters',
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(2_000_000)}\r\n\r\n`,
      HEAD_TOO_LONG,
    ],
    ['a path of two million characters', `GET /${'x'.repeat(2_000_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, HEAD_TOO_LONG],
  ])('are answered in the shape of an error: %s', async (_, bytes, [status, body]) => {
    const answer = await sendBytes(subject.service.url, Buffer.from(bytes, 'latin1'));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, body]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^\S+$/);
  });

  it.each([
    ['without a host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [
      'with an expectation nobody knows',
      'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: more\r\nconnection: close\r\n\r\n',
    ],
  ])('are answered so by every part of the service, also a request %s', async (_, bytes) => {
    const answer = await sendBytes(subject.service.url, bytes);
    expect(answer.headers.get('x-request-id')).toMatch(/^\S+$/);
    const shape = answer.status < 400 ? {} : { error_code: expect.any(String), error_msg: expect.any(String) };
    expect(JSON.parse(answer.text)).toMatchObject(shape);
  });
});

describe('A request that breaks off', () => {
  const subject = serviceFor({ alone: 'connection' });
  const head = [
    `POST ${COMPANIES} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${MASTER_KEY}`,
    `content-type: ${FORM}`,
    '',
  ].join('\r\n');

  it.each([
    ['in a chunk that is none', 'transfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['in the middle of a chunk', 'transfer-encoding: chunked\r\n\r\nff\r\nname=x'],
    ['in the middle of its body', 'content-length: 10\r\n\r\nname=x'],
    ['before its body', 'content-length: 10\r\n\r\n'],
  ])('changes nothing and is no longer counted as open: %s', async (_, rest) => {
    await sendAndLeave(subject.service.url, head + rest);
    expect((await subject.call('GET', COMPANIES)).json.total_count).toBe(1);
    const open = async () =>
      /^vigil_http_requests_open (\d+)$/m.exec((await subject.call('GET', '/metrics')).text)?.[1];
    // The request that asks is open itself.
    expect(await until(open, (count) => count === '1')).toBe('1');
  });
});
