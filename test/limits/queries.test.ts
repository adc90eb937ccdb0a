// Every limit of queries, each made small by its setting: what whoever reaches it hears, that others do not, and what
// /metrics tells of it.

import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { ENDLESS_JSON, finished, openCursor, ran, statusOf } from '#test/support/queries.ts';
import { outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const TOO_MANY = refused(429, 'too-many-requests', 'too many requests');
/** Ends by nobody's doing but ours, and takes no room meanwhile. */
const IDLE = 'json "{a:1}" | repeat count=1000000000 | eval b = seq() | search b < 0';

async function metric({ call }: Subject, name: string): Promise<number> {
  const { text } = await call('GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

const hits = (subject: Subject, limit: string) => metric(subject, `vigil_query_limit_hits_total{limit="${limit}"}`);

const failed = (detail: string) => ({
  is_finished: true,
  is_cancelled: true,
  cancel_reason: 'CommandFailure',
  error_code: 93000,
  error_detail: `the engine failed: ${detail}`,
});

describe('Waiting queries', () => {
  const flags = {
    'queries-per-account': '1',
    'queries-in-all': '2',
    'queries-waiting-per-account': '1',
    'queries-waiting-in-all': '2',
  };
  const subject = serviceFor({ flags });
  const { call } = subject;

  it('are so many of an account, and so many in all; whoever comes then is refused and may come again', async () => {
    const accounts = await Promise.all(
      ['one', 'two', 'three'].map((login) => createAccount(subject, 'ADMIN', { login })),
    );
    const [one = '', two = '', three = ''] = accounts.map(({ key }) => key);
    const opened: [string, number][] = [];
    for (const key of [one, one, two, two]) opened.push([key, await openCursor(subject, IDLE, { key })]);
    for (const key of [one, three]) {
      const cursor = await call('POST', '/api/core/cursors', { key, form: { q: 'json "{}"' } });
      expect(outcome(cursor)).toEqual(TOO_MANY);
      expect(cursor.headers.get('retry-after')).toBe('1');
      expect(outcome(await call('GET', `/api/core/query?q=${encodeURIComponent('json "{}"')}`, { key }))).toEqual(
        TOO_MANY,
      );
    }
    expect(await hits(subject, 'waiting')).toBe(4);
    const counts = () => Promise.all(['running', 'waiting'].map((state) => metric(subject, `vigil_queries_${state}`)));
    await expect.poll(counts).toEqual([2, 2]);
    for (const [key, id] of opened) await call('DELETE', `/api/core/cursors/${id}`, { key });
    expect((await ran(subject, 'json "{}"', { key: three })).rows).toBe(1);
  });
});

describe('A query that runs for too long', () => {
  const subject = serviceFor({ flags: { 'query-time': '5' } });
  const { call, clock } = subject;
  const DETAIL = 'the query ran for more than 5 seconds';

  it('fails, says why, and its rows stay readable', async () => {
    const id = await openCursor(subject, ENDLESS_JSON);
    await until(
      () => statusOf(subject, id),
      ({ rows }) => rows > 0,
    );
    clock.advance({ seconds: 4 });
    expect(await statusOf(subject, id)).toMatchObject({ is_cancelled: false });
    clock.advance({ seconds: 1 });
    const status = await finished(subject, id);
    expect(status).toMatchObject(failed(DETAIL));
    expect((await call('GET', `/api/core/cursors/${id}?limit=1`)).text).toBe('{"a":1}\n');
    expect(await hits(subject, 'time')).toBe(1);
  });

  it('is an ordinary refusal to whoever waits for its first row', async () => {
    const asked = call('GET', `/api/core/query?q=${encodeURIComponent(IDLE)}`);
    await until(
      () => metric(subject, 'vigil_queries_running'),
      (running) => running === 1,
    );
    clock.advance({ seconds: 5 });
    const refusal = refused(500, 'illegal-state', `query has ended: (93000) the engine failed: ${DETAIL}`);
    expect(outcome(await asked)).toEqual(refusal);
  });

  it('does not count while it waits, and ends nobody who is in time', async () => {
    expect(await ran(subject, 'json "{}"')).toMatchObject({ is_cancelled: false, rows: 1 });
  });
});

describe('Kept rows', () => {
  const KIB = 1024;
  const flags = {
    'query-result': String(64 * KIB),
    'query-results-per-account': String(100 * KIB),
    'query-results-in-all': String(150 * KIB),
  };
  const subject = serviceFor({ flags });
  const { call } = subject;
  /** About 60 KiB. */
  const SIXTY = 'json "{a:1}" | repeat count=15000';

  it('are so many bytes of a query: it fails, and what it has kept can be read', async () => {
    const status = await ran(subject, ENDLESS_JSON);
    expect(status).toMatchObject(failed('the rows of the query take more than 65536 bytes'));
    expect(status.rows).toBeGreaterThan(10_000);
    const last = await call('GET', `/api/core/cursors/${status.id}?offset=${status.rows - 1}`);
    expect(last.text).toBe('{"a":1}\n');
    await call('DELETE', `/api/core/cursors/${status.id}`);
    await expect.poll(() => metric(subject, 'vigil_query_result_bytes')).toBe(0);
    expect(await hits(subject, 'result')).toBe(1);
  });

  it('are so many bytes of an account and of all, and room again when a cursor is removed', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'other' });
    const mine = await ran(subject, SIXTY);
    expect(mine).toMatchObject({ rows: 15_000, is_cancelled: false });
    expect(await metric(subject, 'vigil_query_result_bytes')).toBeGreaterThan(50 * KIB);
    const second = await ran(subject, SIXTY);
    expect(second).toMatchObject(failed('the rows kept for the account take more than 102400 bytes'));
    await call('DELETE', `/api/core/cursors/${second.id}`);
    expect(await ran(subject, SIXTY, { key })).toMatchObject({ rows: 15_000 });
    const third = await createAccount(subject, 'ADMIN', { login: 'third' });
    const refusedOne = await ran(subject, SIXTY, { key: third.key });
    expect(refusedOne).toMatchObject(failed('the rows kept for all accounts take more than 153600 bytes'));
    await call('DELETE', `/api/core/cursors/${mine.id}`);
    await call('DELETE', `/api/core/cursors/${refusedOne.id}`, { key: third.key });
    expect(await ran(subject, SIXTY, { key: third.key })).toMatchObject({ rows: 15_000 });
  });

  it('do not bound what is handed on at once', async () => {
    const { text } = await call('GET', `/api/core/query?q=${encodeURIComponent('json "{a:1}" | repeat count=50000')}`);
    expect(text.split('\n').length).toBe(50_001);
  });
});

describe('Kept queries', () => {
  const subject = serviceFor({ flags: { 'query-statuses-per-account': '3', 'query-statuses-in-all': '4' } });
  const { call } = subject;
  const isKnown = async (id: number, key?: string) =>
    (await call('GET', `/api/core/queries/${id}`, key ? { key } : {})).status === 200;

  it('are so many of an account and in all: the oldest that has ended goes with its rows', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'other' });
    const running = await openCursor(subject, IDLE);
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await ran(subject, 'json "{}"')).id);
    const [first = 0, second = 0, third = 0] = ids;
    expect(await Promise.all([running, first, second, third].map((id) => isKnown(id)))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect((await call('GET', `/api/core/cursors/${first}`)).status).toBe(403);
    const others = [(await ran(subject, 'json "{}"', { key })).id, (await ran(subject, 'json "{}"', { key })).id];
    expect(await isKnown(second)).toBe(false);
    expect(await Promise.all(others.map((id) => isKnown(id, key)))).toEqual([true, true]);
    await expect.poll(() => metric(subject, 'vigil_queries_kept')).toBe(4);
    expect(await hits(subject, 'statuses')).toBe(2);
    await call('DELETE', `/api/core/cursors/${running}`);
  });

  it('with a long text count as several', async () => {
    const long = (await ran(subject, `json "{}" | # ${'x'.repeat(40_000)}`)).id;
    const short = (await ran(subject, 'json "{}"')).id;
    expect([await isKnown(long), await isKnown(short)]).toEqual([false, true]);
  });

  const names = (count: number) => Array.from({ length: count }, (_, n) => [`name${n}`, n]);
  it.each([
    ['a long parameter', 'json "{}"', { params: { p: 'x'.repeat(40_000) } }],
    ['a parameter of many values', 'json "{}"', { params: { p: Object.fromEntries(names(400)) } }],
    ['a long row of setq', `setq [ json "{}" | eval a = lpad("", 10000), b = a, c = a, d = a ] | json "{}"`, {}],
    ['many columns', `json "{}" | eval ${names(400).map(([name, n]) => `${name} = ${n}`)}`, {}],
  ])('with %s count as several', async (_, text, options) => {
    const large = (await ran(subject, text, options)).id;
    const small = (await ran(subject, 'json "{}"')).id;
    expect([await isKnown(large), await isKnown(small)]).toEqual([false, true]);
  });

  it('count as several from the moment on that they get long tags', async () => {
    const first = (await ran(subject, 'json "{}"')).id;
    const second = (await ran(subject, 'json "{}"')).id;
    const tagged = (await ran(subject, 'json "{}"')).id;
    const answer = await call('PUT', `/api/core/queries/${tagged}/tags`, {
      json: { tags: { page: 'x'.repeat(40_000) } },
    });
    expect(answer.status).toBe(200);
    expect(await Promise.all([first, second, tagged].map((id) => isKnown(id)))).toEqual([false, false, true]);
  });
});
