import { beforeAll, describe, expect, it } from 'vitest';
import { slowRequest } from '#test/support/slow-request.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import {
  append,
  BYTES_TYPE,
  cancel,
  complete,
  createTable,
  opened,
  probe,
  STREAMS,
  TUS,
} from '#test/support/uploads.ts';

const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);
const STREAM = { file_size: 2, metadata: { table: 'web' } };

/** Headers that say where a request comes from, to whoever believes them. */
const SPOOFED: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '127.0.0.1, 127.0.0.1' },
  { forwarded: 'for=127.0.0.1' },
  { 'x-real-ip': '127.0.0.1' },
  { 'x-client-ip': '127.0.0.1' },
  { 'true-client-ip': '127.0.0.1' },
  { 'x-forwarded-host': '127.0.0.1' },
  { host: '127.0.0.1' },
];

describe('A token', () => {
  const subject = serviceFor();
  beforeAll(() => createTable(subject, 'web'));
  const from = async (address: string, method: string, path: string, headers: Record<string, string> = {}) => {
    const request = slowRequest(`${subject.service.url}${path}`, method, { from: address, headers });
    request.end();
    const { status, json } = await request.answer;
    return [status, json];
  };

  it('is worth nothing from another address, for any operation', async () => {
    const token = await opened(subject, STREAM);
    const path = `${STREAMS}/${token}`;
    for (const headers of [{}, ...SPOOFED]) {
      expect(await from('127.0.0.2', 'DELETE', path, headers)).toEqual(gone(token));
      expect(await from('127.0.0.2', 'POST', `${path}/complete`, headers)).toEqual(gone(token));
      expect(await from('127.0.0.2', 'HEAD', path, { ...TUS, ...headers })).toEqual([404, undefined]);
      const bytes = { ...TUS, 'upload-offset': '0', 'content-type': BYTES_TYPE };
      expect(await from('127.0.0.2', 'PATCH', path, { ...bytes, ...headers })).toEqual(gone(token, 404));
    }
    expect((await probe(subject, token)).status).toBe(200);
    expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
  });

  it('does not let others disturb an upload that rests', async () => {
    const token = await opened(subject, STREAM);
    const path = `${STREAMS}/${token}`;
    const headers = { ...TUS, 'upload-offset': '0', 'content-type': BYTES_TYPE };
    const resting = slowRequest(`${subject.service.url}${path}`, 'PATCH', { headers });
    await resting.write('{');
    await until(
      async () => (await probe(subject, token)).headers.get('upload-offset'),
      (offset) => offset === '1',
    );
    subject.clock.advance({ seconds: 10 });
    expect(await from('127.0.0.2', 'PATCH', path, headers)).toEqual(gone(token, 404));
    await resting.write('}');
    resting.end();
    expect((await resting.answer).status).toBe(204);
    await cancel(subject, token);
  });

  it('is bound to the address of the connection, whatever the opening request says', async () => {
    for (const headers of SPOOFED) {
      const token = await opened(subject, STREAM, { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } });
      const { json } = await subject.call('GET', `${STREAMS}/${token}`);
      expect(json.stream.remote_addr).toBe('127.0.0.1');
      expect(outcome(await cancel(subject, token, { headers: { 'x-forwarded-for': '203.0.113.8' } }))).toEqual([
        200,
        {},
      ]);
    }
  });

  it('is repeated only from its address after it was completed', async () => {
    const token = await opened(subject, STREAM);
    await append(subject, token, { offset: 0, body: '{}' });
    expect((await complete(subject, token)).status).toBe(200);
    expect(await from('127.0.0.2', 'POST', `${STREAMS}/${token}/complete`)).toEqual(gone(token));
  });
});

describe('Behind trusted proxies a token', () => {
  const subject = serviceFor({ flags: { 'trusted-proxies': '127.0.0.1, 10.0.0.0/8' } });
  beforeAll(() => createTable(subject, 'web'));
  const forwarded = (chain: string) => ({ headers: { 'x-forwarded-for': chain } });

  it.each([
    ['203.0.113.1', true],
    ['203.0.113.1, 10.0.0.7', true],
    ['198.51.100.1, 203.0.113.1, 10.0.0.7', true],
    ['::ffff:203.0.113.1', true],
    ['203.0.113.2', false],
    ['203.0.113.1, 203.0.113.2', false],
    ['203.0.113.1, 203.0.113.2, 10.0.0.7', false],
    ['203.0.113.1, unknown', false],
    ['10.0.0.7', false],
    ['', false],
  ])('of 203.0.113.1 from "%s": %s', async (chain, isGood) => {
    const token = await opened(subject, STREAM, forwarded('203.0.113.1'));
    const answer = await cancel(subject, token, forwarded(chain));
    expect(outcome(answer)).toEqual(isGood ? [200, {}] : gone(token));
  });
});
