// How large the bodies of requests may be, how much of them is held at once, and how long they may take.

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { MASTER_KEY, type Service } from '#test/support/service.ts';
import { type SlowRequest, slowRequest } from '#test/support/slow-request.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const COMPANIES = '/api/core/companies';
const SESSIONS = '/api/core/sessions';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const tooLarge = (bytes: number) =>
  refused(413, 'request-too-large', `request body must be shorter than or equal to ${bytes} bytes.`);
const tooManyValues = (count: number) =>
  refused(413, 'request-too-large', `request body must be less than or equal to ${count} values.`);
const NO_ROOM = refused(429, 'too-many-requests', 'too many requests');
const TOO_LATE = refused(408, 'request-timeout', 'request body did not arrive in time');

type Called = Pick<Service, 'call'>;

const metric = async ({ call }: Called, name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await call('GET', '/metrics')).text)?.[1]);

/** Waits until so many bytes of bodies are held. */
const held = (service: Called, bytes: number) =>
  until(
    () => metric(service, 'vigil_http_body_bytes'),
    (now) => now === bytes,
  );

/** A request whose body does not end: its first bytes have been sent. */
async function begun(url: string, path: string, bytes: number, { key = MASTER_KEY as string | null, from = '' } = {}) {
  const headers = { ...FORM, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  const sent = slowRequest(`${url}${path}`, 'POST', { headers, ...(from ? { from } : {}) });
  if (bytes > 0) await sent.write(Buffer.alloc(bytes, 'x'));
  return sent;
}

async function answerOf({ answer }: SlowRequest) {
  const { status, json, headers } = await answer;
  return { outcome: [status, json], connection: headers.connection, retryAfter: headers['retry-after'] };
}

describe('A body of an operation that needs no key', () => {
  const subject = serviceFor();
  const { call } = subject;
  const ofSize = (bytes: number) => 'api_key='.padEnd(bytes, 'k');

  it('has at most 8 KiB', async () => {
    const post = (bytes: number) => call('POST', SESSIONS, { key: null, body: ofSize(bytes), headers: FORM });
    expect(outcome(await post(8192))).toEqual(refused(401, 'unauthorized', 'invalid api key'));
    expect(outcome(await post(8193))).toEqual(tooLarge(8192));
  });

  it('has no more when it does not say how long it is', async () => {
    const sent = await begun(subject.service.url, SESSIONS, 9000, { key: null });
    expect((await answerOf(sent)).outcome).toEqual(tooLarge(8192));
    sent.destroy();
  });

  it.each([
    ['POST', `/api/core/upload-streams/${NOWHERE}/complete`],
    ['DELETE', `/api/core/upload-streams/${NOWHERE}`],
    ['DELETE', SESSIONS],
  ])('has no more with a key either: %s %s', async (method, path) => {
    expect(outcome(await call(method, path, { body: ofSize(8193), headers: FORM }))).toEqual(tooLarge(8192));
  });

  it('is no part of an upload, whose PATCH has no limit', async () => {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const path = `/api/core/upload-streams/${NOWHERE}`;
    const answer = await call('PATCH', path, { key: null, headers, body: Buffer.alloc(100_000) });
    expect(answer.status).toBe(404);
  });
});

describe('The values of a body', () => {
  const subject = serviceFor({ flags: { 'body-values': '100' } });
  const { call } = subject;
  const named = (text: string, type: Record<string, string>) => call('POST', COMPANIES, { body: text, headers: type });
  const pairs = (count: number) => `name=pairs${'&x=1'.repeat(count - 1)}`;
  const elements = (count: number) =>
    `{"name":"elements","x":[${Array(count - 2)
      .fill(0)
      .join(',')}]}`;

  it.each([
    ['pairs of a form', pairs, FORM],
    ['members and elements of JSON', elements, JSON_TYPE],
  ])('are counted: %s', async (_, body, type) => {
    expect((await named(body(100), type)).status).toBe(200);
    expect(outcome(await named(body(101), type))).toEqual(tooManyValues(100));
  });

  it('are counted at every depth, and where nobody looks at them', async () => {
    const deep = `{"name":"x","x":${'[1,'.repeat(50)}1${']'.repeat(50)}}`;
    expect(outcome(await named(deep, JSON_TYPE))).toEqual(tooManyValues(100));
    const members = `{"name":"x","x":{${Array.from({ length: 100 }, (_, at) => `"a${at}":1`).join(',')}}}`;
    expect(outcome(await named(members, JSON_TYPE))).toEqual(tooManyValues(100));
  });

  it('are counted in lists, too, and in JSON that is the text of a form', async () => {
    const trust_hosts = Array(101).fill('10.0.0.1').join(',');
    const form = { login: 'many', name: 'many', role: 'MEMBER', trust_hosts };
    expect(outcome(await call('POST', '/api/core/users', { form }))).toEqual(tooManyValues(100));
    const q = 'json "{}"';
    const params = `{"x":[${Array(20_000).fill(0).join(',')}]}`;
    expect(outcome(await call('POST', '/api/core/cursors', { form: { q, params } }))).toEqual(tooManyValues(100));
  });
});

describe('The room for all bodies', () => {
  const subject = serviceFor({ alone: 'node', flags: { 'bodies-limit': String(4 * MIB) } });
  const { call } = subject;
  const url = () => subject.service.url;
  let accounts: readonly Account[];
  beforeAll(async () => {
    const make = (login: string) => createAccount(subject, 'MASTER', { login });
    accounts = await Promise.all(['first', 'second', 'third', 'fourth', 'fifth'].map(make));
  });

  it('is a quarter for one account, and more for its only body', async () => {
    const { key } = accounts[0] as Account;
    const only = await begun(url(), COMPANIES, 3 * MIB, { key });
    await held(subject, 3 * MIB);
    const further = await begun(url(), COMPANIES, 1, { key });
    expect(await answerOf(further)).toEqual({ outcome: NO_ROOM, connection: 'close', retryAfter: '1' });
    // Another account finds room all the same, and the first one goes on.
    expect((await call('POST', COMPANIES, { form: { name: 'beside' } })).status).toBe(200);
    await only.write(Buffer.alloc(MIB / 2, 'x'));
    await held(subject, 3.5 * MIB);
    only.destroy();
    expect(await held(subject, 0)).toBe(0);
    expect((await call('POST', COMPANIES, { key, form: { name: 'afterwards' } })).status).toBe(200);
  });

  it('is what it is, for all accounts together', async () => {
    const sent: SlowRequest[] = [];
    for (const { key } of accounts.slice(0, 4)) sent.push(await begun(url(), COMPANIES, MIB, { key }));
    await held(subject, 4 * MIB);
    const late = await begun(url(), COMPANIES, 1, { key: accounts[4]?.key ?? '' });
    expect(await answerOf(late)).toEqual({ outcome: NO_ROOM, connection: 'close', retryAfter: '1' });
    for (const one of sent) one.destroy();
    expect(await held(subject, 0)).toBe(0);
  });

  it('counts what a body decompresses to', async () => {
    const logger = await createLogger(subject, { table: 'compressed' });
    const body = gzipSync(Buffer.alloc(8 * MIB, 'x'));
    const answer = await push(subject, logger, { type: 'text/plain', headers: { 'content-encoding': 'gzip' }, body });
    expect(outcome(answer)).toEqual(NO_ROOM);
    expect(await held(subject, 0)).toBe(0);
  });

  it('is 64 KiB for all bodies without a key that come from one address', async () => {
    const sent: SlowRequest[] = [];
    for (let count = 0; count < 8; count += 1) sent.push(await begun(url(), SESSIONS, 8 * KIB, { key: null }));
    await held(subject, 64 * KIB);
    const further = await begun(url(), SESSIONS, 1, { key: null });
    expect((await answerOf(further)).outcome).toEqual(NO_ROOM);
    const elsewhere = await begun(url(), SESSIONS, 1, { key: null, from: '127.0.0.2' });
    await held(subject, 64 * KIB + 1);
    for (const one of [...sent, elsewhere]) one.destroy();
    expect(await held(subject, 0)).toBe(0);
  });
});

describe('The time of a body', () => {
  const subject = serviceFor({ alone: 'connection' });
  const { clock } = subject;
  const url = () => subject.service.url;
  const arrived = (bytes: number) => held(subject, bytes);

  it('is 10 seconds without a key', async () => {
    const sent = await begun(url(), SESSIONS, 100, { key: null });
    await arrived(100);
    clock.advance({ seconds: 9 });
    await sent.write('xx');
    await arrived(102);
    clock.advance({ seconds: 2 });
    expect(await answerOf(sent)).toMatchObject({ outcome: TOO_LATE, connection: 'close' });
    sent.destroy();
    await arrived(0);
  });

  it('ends a body that is slower than 1 KiB a second for 30 seconds', async () => {
    const sent = await begun(url(), COMPANIES, 40 * KIB);
    await arrived(40 * KIB);
    clock.advance({ seconds: 29 });
    await sent.write(Buffer.alloc(29 * KIB, 'x'));
    await arrived(69 * KIB);
    // 69 KiB in the first 30 seconds, 29 KiB in the 30 after the first.
    clock.advance({ seconds: 1 });
    expect(await Promise.race([sent.answer, held(subject, 69 * KIB)])).toBe(69 * KIB);
    clock.advance({ seconds: 2 });
    expect(await answerOf(sent)).toMatchObject({ outcome: TOO_LATE, connection: 'close' });
    sent.destroy();
    await arrived(0);
  });

  it('is 60 seconds and one more for each 64 KiB', async () => {
    const sent = await begun(url(), COMPANIES, 0);
    let bytes = 0;
    // 64 KiB in 60 seconds, fast enough: it is late after the 61st.
    for (let second = 0; second < 60; second += 4) {
      await sent.write(Buffer.alloc(5 * KIB, 'x'));
      bytes += 5 * KIB;
      await arrived(bytes);
      clock.advance({ seconds: 4 });
    }
    expect(await held(subject, bytes)).toBe(bytes);
    clock.advance({ seconds: 3 });
    expect((await answerOf(sent)).outcome).toEqual(TOO_LATE);
    sent.destroy();
    await arrived(0);
  });

  it('is not limited for the PATCH of an upload', async () => {
    const made = await subject.call('POST', '/api/core/tables', { form: { table: 'slowly' } });
    expect(made.status).toBe(200);
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': '2',
      'upload-metadata': `filename ${btoa('f')},table ${btoa('slowly')}`,
    };
    const opened = await subject.call('POST', '/api/core/upload-streams', { headers });
    const patch = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const sent = slowRequest(`${url()}/api/core/upload-streams/${opened.json.token}`, 'PATCH', { headers: patch });
    await sent.write('{');
    await expect.poll(() => metric(subject, 'vigil_http_requests_open')).toBe(2);
    clock.advance({ minutes: 10 });
    await sent.write('}');
    sent.end();
    expect((await sent.answer).status).toBe(204);
  });

  it('holds for what is left of a body that was refused, too', async () => {
    const sent = await begun(url(), SESSIONS, 9000, { key: null });
    expect((await sent.answer).status).toBe(413);
    const open = () => metric(subject, 'vigil_http_connections_open');
    const before = await open();
    clock.advance({ seconds: 11 });
    expect(await until(open, (now) => now < before)).toBe(before - 1);
  });
});

describe('Connections beyond the limit', () => {
  const subject = serviceFor({ alone: 'node', flags: { connections: '4' } });

  it('are closed where all others have shown a key', async () => {
    const url = subject.service.url;
    // The connection of the calls here.
    await subject.call('GET', COMPANIES);
    const sent: SlowRequest[] = [];
    for (const count of [1, 2, 3]) {
      sent.push(await begun(url, COMPANIES, 1));
      await held(subject, count);
    }
    const further = slowRequest(`${url}${COMPANIES}`, 'POST', { headers: FORM });
    await expect(further.answer).rejects.toThrow();
    sent[0]?.destroy();
    await held(subject, 2);
    sent.push(await begun(url, COMPANIES, 1));
    expect(await held(subject, 3)).toBe(3);
    for (const one of sent) one.destroy();
  });
});
