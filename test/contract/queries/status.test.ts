// The status record through the whole life of a query: every published field, from the first answer on.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import {
  ask,
  cancel,
  ENDLESS,
  ENDLESS_ROWS,
  endAll,
  fillMany,
  finished,
  hold,
  isRunning,
  listed,
  openCursor,
  ran,
  reached,
  statusOf,
} from '#test/support/queries.ts';
import { expectForward, expectRecord } from '#test/support/status-records.ts';
import { onEachDatabase, serviceFor } from '#test/support/suites.ts';

const EPOCH = Date.parse('2024-03-01T00:00:00Z');
const FAILURES = ['error_code', 'error_detail', 'cancel_reason', 'warnings'];
const present = (status: object) => FAILURES.filter((name) => name in status);

onEachDatabase('The status of a query', (subject) => {
  const { clock } = subject;
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('has every field from the first answer to the last', async () => {
    const text = '  table many|search k==3 \n| stats   count by k  ';
    const id = await openCursor(subject, text);
    const seen = [await statusOf(subject, id)];
    const last = await finished(subject, id);
    expectForward([...seen, last, await statusOf(subject, id)]);
    expect(last).toMatchObject({
      id,
      source: 'rest-api',
      login_name: 'master',
      remote_ip: '127.0.0.1',
      rows: 1,
      is_finished: true,
      is_cancelled: false,
      is_scheduled_query: false,
      constants: {},
      query_string: text,
      background: true,
      commands: [
        { command: 'table many', status: 'End', push_count: 20_000 },
        { command: 'search k == 3', status: 'End', push_count: 2_000 },
        { command: 'stats count by k', status: 'End', push_count: 1 },
      ],
      sub_queries: [],
      tags: {},
    });
    expect(present(last)).toEqual([]);
  });

  it('tells times by the clock: elapsed stands still after the end, finish_time is 0 until then', async () => {
    const begun = clock.now().epochMilliseconds;
    const id = await openCursor(subject, ENDLESS);
    await reached(subject, id, isRunning);
    clock.advance({ milliseconds: 2_345 });
    const running = await statusOf(subject, id);
    expect(running).toMatchObject({ start_time: begun, elapsed: 2_345, finish_time: 0, is_finished: false });
    await cancel(subject, id);
    const last = await finished(subject, id);
    const end = clock.now().epochMilliseconds;
    expect(last).toMatchObject({ start_time: begun, elapsed: 2_345, finish_time: end });
    clock.advance({ minutes: 7 });
    const later = await statusOf(subject, id);
    expectForward([running, last, later]);
    expect({ ...later, stamp: 0 }).toEqual({ ...last, stamp: 0 });
  });

  it('is complete while running, when cancelled, and after it', async () => {
    const id = await openCursor(subject, ENDLESS, { tags: { page: '1' }, params: { limit: 5 } });
    const first = await statusOf(subject, id);
    const running = await reached(subject, id, isRunning);
    expect(running).toMatchObject({ tags: { page: '1' }, constants: { limit: 5 }, rows: 0 });
    expect(present(running)).toEqual([]);
    expect((await cancel(subject, id)).json).toEqual({});
    const asked = await statusOf(subject, id);
    expect(asked.is_cancelled).toBe(true);
    const last = await finished(subject, id);
    expectForward([first, running, asked, last]);
    expect(last).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest', rows: 0, constants: { limit: 5 } });
  });

  it('is complete after a failure, and tells it', async () => {
    const last = await ran(subject, 'table many | pivot count cols n');
    expectRecord(last);
    expect(last).toMatchObject({ is_finished: true, is_cancelled: true, cancel_reason: 'CommandFailure', rows: 0 });
    expect(String(last.error_code)).toContain('22201');
    expect(last.error_detail).toContain('is more than 10000');
  });

  it('has warnings where there are any', async () => {
    const last = await ran(subject, 'table many | union [ table many ] | limit 1');
    expectRecord(last);
    expect(present(last)).toEqual(['warnings']);
    expect(last.warnings).toEqual([expect.stringContaining('the rows have no defined order before limit')]);
    expect(last).toMatchObject({ is_finished: true, is_cancelled: false, rows: 1 });
  });

  it('is that of GET /query too, which is foreground', async () => {
    const answer = await ask(subject, { q: 'table many | limit 3', limit: '1' });
    const id = Number(answer.headers.get('x-query-id'));
    const last = await finished(subject, id);
    expectRecord(last);
    expect(last).toMatchObject({ background: false, source: 'rest-api', rows: 3, is_cancelled: false });
    using held = await hold(subject.service.url, ENDLESS_ROWS);
    const running = await statusOf(subject, held.id);
    expectRecord(running);
    expect(running).toMatchObject({ background: false, is_finished: false, finish_time: 0 });
  });

  it('has a stamp that rises with every answer, whichever way it is asked for', async () => {
    const { id } = await ran(subject, 'json "[]"');
    const stamps: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      stamps.push((await statusOf(subject, id)).stamp);
      stamps.push((await listed(subject, id))?.stamp ?? 0);
    }
    const many = await Promise.all(Array.from({ length: 20 }, () => statusOf(subject, id)));
    const all = [...stamps, ...many.map(({ stamp }) => stamp).sort((a, b) => a - b)];
    expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
  });
});

describe('The status of a query in another zone', () => {
  const subject = serviceFor({ flags: { 'time-zone': 'Asia/Seoul' } });

  it('has last_started in the zone of the service, start_time in milliseconds since 1970', async () => {
    const last = await ran(subject, 'set day = date("2024-02-29 12:00:00") | json "[]"');
    expect(last).toMatchObject({ last_started: '2024-03-01 09:00:00+0900', start_time: EPOCH, finish_time: EPOCH });
    expect(last.constants).toEqual({ day: '2024-02-29 12:00:00+0900' });
  });
});

describe('The source of a query', () => {
  const subject = serviceFor({ flags: { 'trusted-proxies': '127.0.0.1' } });
  const { call } = subject;

  it.each([
    ['rest-api', ''],
    ['rest-api', 'curl/8.0'],
    ['java-client', 'vigil-java/1.2 (x)'],
    ['python-client', 'vigil-python/3'],
    ['console', 'vigil-shell/0'],
    ['rest-api', 'vigil-java'],
    ['rest-api', 'my vigil-java/1'],
    ['rest-api', 'vigil-ruby/1'],
  ])('is %s for a key with the User-Agent "%s"', async (source, agent) => {
    const headers = agent === '' ? {} : { 'user-agent': agent };
    const id = await openCursor(subject, 'json "[]"', { headers });
    expect(await statusOf(subject, id)).toMatchObject({ source, is_scheduled_query: false });
    const answer = await ask(subject, { q: 'json "[]"' }, { headers });
    expect((await statusOf(subject, Number(answer.headers.get('x-query-id')))).source).toBe(source);
  });

  it('is adhoc for a console cookie', async () => {
    const account = await createAccount(subject, 'MEMBER', { login: 'kim' });
    const login = await call('POST', '/api/core/sessions', { key: null, form: { api_key: account.key } });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const headers = { cookie, origin: subject.service.url };
    const id = await openCursor(subject, 'json "[]"', { key: null, headers });
    const status = await statusOf(subject, id, { key: null, headers });
    expect(status).toMatchObject({ source: 'adhoc', login_name: 'kim' });
    expect((await statusOf(subject, id, { key: account.key })).source).toBe('adhoc');
    const answer = await ask(subject, { q: 'json "[]"' }, { key: null, headers: { cookie } });
    const other = Number(answer.headers.get('x-query-id'));
    expect((await statusOf(subject, other, { key: account.key })).source).toBe('adhoc');
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['2001:db8::5', '2001:db8::5'],
    [undefined, '127.0.0.1'],
  ])('has the address of the caller behind a trusted proxy: %s', async (forwarded, address) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const id = await openCursor(subject, 'json "[]"', { headers });
    expect((await statusOf(subject, id)).remote_ip).toBe(address);
    const answer = await ask(subject, { q: 'json "[]"' }, { headers });
    expect((await statusOf(subject, Number(answer.headers.get('x-query-id')))).remote_ip).toBe(address);
  });
});

describe('The address of a query', () => {
  const subject = serviceFor();

  it('is that of the peer where no proxy is trusted', async () => {
    const id = await openCursor(subject, 'json "[]"', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect((await statusOf(subject, id)).remote_ip).toBe('127.0.0.1');
  });
});
