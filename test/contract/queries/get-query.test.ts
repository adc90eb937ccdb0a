// GET /query: what it takes, what it refuses, and how it ends when it does not end well.

import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import {
  ask,
  badQuery,
  begin,
  cancel,
  ENDLESS,
  ENDLESS_ROWS,
  endAll,
  fillMany,
  finished,
  hold,
  isFinished,
  isRunning,
  linesOf,
  listedUntil,
  openCursor,
  QUERIES,
  QUERY,
  readOut,
  type Status,
  statusOf,
} from '#test/support/queries.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { expectListed, expectRecord } from '#test/support/status-records.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const invalid = (message: string) => refused(400, 'invalid-argument', message);
const FORMAT = 'format should be one of html, txt, xml, csv, json or json-single.';
const GOOD = 'json "[{a:1}]"';

describe('GET /query', () => {
  const subject = serviceFor();
  const { call } = subject;
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('answers with the id of its query', async () => {
    const answer = await ask(subject, { q: GOOD });
    expect([answer.status, answer.text]).toEqual([200, '{"a":1}\n']);
    const text = answer.headers.get('x-query-id') ?? '';
    expect(text).toMatch(/^[1-9]\d*$/);
    expect(await finished(subject, Number(text))).toMatchObject({ id: Number(text), query_string: GOOD, rows: 1 });
  });

  it.each([
    [{}, refused(400, 'null-argument', 'q should be not null')],
    [{ q: '' }, refused(400, 'null-argument', 'q should be not null')],
    [{ q: GOOD, offset: 'a' }, invalid('offset should be long type.')],
    [{ q: GOOD, offset: '1.5' }, invalid('offset should be long type.')],
    [{ q: GOOD, offset: '-1' }, invalid('offset should be non-negative integer.')],
    [{ q: GOOD, offset: '9223372036854775808' }, invalid('offset should be long type.')],
    [{ q: GOOD, limit: 'x' }, invalid('limit should be long type.')],
    [{ q: GOOD, limit: '-5' }, invalid('limit should be non-negative integer.')],
    [{ q: GOOD, limit: '99999999999999999999' }, invalid('limit should be long type.')],
    [{ q: GOOD, format: 'pdf' }, invalid(FORMAT)],
    [{ q: GOOD, format: 'JSON' }, invalid(FORMAT)],
    [{ q: GOOD, offset: 'x', limit: 'y', format: 'z' }, invalid('offset should be long type.')],
    [{ q: GOOD, limit: 'y', format: 'z' }, invalid('limit should be long type.')],
    [{ q: 'table wev' }, badQuery('(10001) there is no table wev at 1:7')],
    [{ q: 'table\n\n  wev' }, badQuery('(10001) there is no table wev at 3:3')],
    [{ q: 'json "[]" | serach a' }, badQuery('(92000) there is no command serach at 1:13')],
    [{ q: 'json "[]" |' }, badQuery('(90003) a command is expected between pipes at 1:11')],
    [{ q: 'json "[]" | union [ table wev ]' }, badQuery('(10001) there is no table wev at 1:27')],
    [{ q: 'json "[]" | search a = 1' }, [400, expect.objectContaining({ error_code: 'invalid-query' })]],
    [{ q: 'json "[]" | limit $("x")' }, [400, expect.objectContaining({ error_code: 'invalid-query' })]],
    [{ q: '# only a comment' }, [400, expect.objectContaining({ error_code: 'invalid-query' })]],
  ])('complains about %j', async (parameters, complaint) => {
    const before = (await call('GET', QUERIES)).json.total_count;
    const answer = await ask(subject, { ...parameters } as Record<string, string>);
    expect(outcome(answer)).toEqual(complaint);
    expect((await call('GET', QUERIES)).json.total_count).toBe(before);
  });

  it.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ offset: '2' }, [2, 3, 4]],
    [{ limit: '2' }, [0, 1]],
    [{ offset: '1', limit: '2' }, [1, 2]],
    [{ offset: '5' }, []],
    [{ offset: '9223372036854775807' }, []],
    [{ limit: '9223372036854775807' }, [0, 1, 2, 3, 4]],
    [{ limit: '0' }, []],
    [{ offset: '', limit: '' }, [0, 1, 2, 3, 4]],
  ])('gives the page %j of its rows', async (page, numbers) => {
    const answer = await ask(subject, { q: 'table many | search n < 5 | sort n', ...page } as Record<string, string>);
    expect(answer.status).toBe(200);
    expect(linesOf(answer).map(({ n }) => n)).toEqual(numbers);
  });

  it('gives the wanted fields in their order, whatever their names', async () => {
    const q = 'json "[{a:1,b:2,c:3,\'x y\':4}]"';
    expect((await ask(subject, { q, fields: 'c, a' })).text).toBe('{"c":3,"a":1}\n');
    expect((await ask(subject, { q, fields: 'x y,,b' })).text).toBe('{"x y":4,"b":2}\n');
    expect((await ask(subject, { q, fields: '__proto__,constructor,a' })).text).toBe('{"a":1}\n');
  });

  it('streams: rows come long before the query has ended', async () => {
    using held = await hold(subject.service.url, ENDLESS_ROWS);
    const { done, value } = await held.answer[Symbol.asyncIterator]().next();
    expect(done).toBe(false);
    expect(JSON.parse(String(value).split('\n')[0] ?? '')).toMatchObject({ n: expect.any(Number) });
    expect(await listedUntil(subject, held.id, () => true)).toMatchObject({ is_finished: false });
  });

  it.each([
    ['Asia/Seoul', '2026-11-15 09:00:00+0900'],
    ['UTC+9', '2026-11-15 09:00:00+0900'],
    ['-0330', '2026-11-14 20:30:00-0330'],
    ['America/New_York', '2026-11-14 19:00:00-0500'],
  ])('writes times in the zone %s of the query', async (zone, time) => {
    const q = `set _timezone = "${zone}" | json "{}" | eval d = date("2026-11-15T00:00:00Z"), l = array(d)`;
    const rows = await ask(subject, { q });
    expect(rows.text).toBe(`${JSON.stringify({ d: time, l: [time] })}\n`);
    const id = await openCursor(subject, q);
    await finished(subject, id);
    expect((await call('GET', `/api/core/cursors/${id}?format=csv&fields=d`)).text).toBe(`d\r\n${time}\r\n`);
  });

  it('that fails before its first row is a normal error', async () => {
    const answer = await ask(subject, { q: 'table many | pivot count cols n' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const mistakes = [expect.objectContaining({ code: 22201, begin: 13, end: 31 })];
    const error_msg = '(22201) columns: 20000 is more than 10000 at 1:14';
    expect(answer.json).toEqual({ error_code: 'invalid-query', error_msg, mistakes, warnings: [], hints: [] });
  });

  it('that fails among its rows never looks complete', async () => {
    subject.clock.advance({ seconds: 1 });
    const failing = 'json "[{}]" | repeat count=1000001 | eval v = seq() | stats array(v) as v';
    for (const q of [`table many | union [ ${failing} ]`, `union [ ${failing} ] | union [ table many ]`]) {
      const answer = await begin(subject.service.url, `${QUERY}?${new URLSearchParams({ q })}`, {
        authorization: `Bearer ${MASTER_KEY}`,
      });
      const { isComplete } = await readOut(answer);
      expect([q, answer.statusCode === 200 && isComplete]).toEqual([q, false]);
    }
    const { json } = await call('GET', `${QUERIES}?limit=2`);
    for (const status of json.queries) {
      expectRecord(await finished(subject, status.id));
      expect(await statusOf(subject, status.id)).toMatchObject({ is_cancelled: true, cancel_reason: 'CommandFailure' });
    }
  });

  it('that is cancelled among its rows breaks off without its closing chunk', async () => {
    for (const format of ['json', 'json-single', 'csv', 'txt', 'xml', 'html']) {
      const bytes = await cancelledAnswer(subject.service.url, format);
      expect([format, bytes.startsWith('HTTP/1.1 200')]).toEqual([format, true]);
      expect([format, bytes.includes('\r\n0\r\n\r\n')]).toEqual([format, false]);
    }
  });

  async function cancelledAnswer(url: string, format: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const { promise, resolve } = Promise.withResolvers<string>();
    const parts: string[] = [];
    const parameters = new URLSearchParams({ q: ENDLESS_ROWS, format });
    const socket = connect(Number(port), hostname, () => {
      const head = `GET ${QUERY}?${parameters} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${MASTER_KEY}\r\n\r\n`;
      socket.write(head);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(parts.join('')));
    socket.on('data', (part) => {
      // The head and the tail are enough.
      parts.push(part.toString());
      if (parts.length > 40) parts.splice(2, 1);
      const id = /x-query-id: (\d+)/i.exec(parts[0] ?? '')?.[1];
      if (parts.length === 2) void cancel(subject, Number(id));
    });
    return await promise;
  }

  it('is cancelled at once when its reader goes away among the rows', async () => {
    const admin = await createAccount(subject, 'ADMIN', { login: 'reader' });
    const held = await hold(subject.service.url, ENDLESS_ROWS, admin.key);
    expect(await listedUntil(subject, held.id, () => true)).toMatchObject({
      is_cancelled: false,
      login_name: 'reader',
    });
    held[Symbol.dispose]();
    const last = await listedUntil(subject, held.id, isFinished);
    expectListed(last);
    expect(last).toMatchObject({ is_cancelled: true, background: false });
  });

  it('is cancelled at once when its reader goes away before the first row', async () => {
    const leaving = new AbortController();
    const url = `${subject.service.url}${QUERY}?${new URLSearchParams({ q: ENDLESS })}`;
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const answer = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left');
    const newest = async () => (await call('GET', `${QUERIES}?is_finished=false`)).json.queries[0];
    const { id } = await until(newest, (query) => query !== undefined && isRunning(query));
    leaving.abort();
    expect(await answer).toBe('left');
    expect(await listedUntil(subject, id, isFinished)).toMatchObject({ id, is_cancelled: true });
  });

  it('needs an account', async () => {
    const answer = await ask(subject, { q: GOOD }, { key: null });
    expect(outcome(answer)).toEqual(refused(401, 'unauthorized', 'invalid api key'));
  });

  it('says of a query that has run that its rows are not kept', async () => {
    const answer = await ask(subject, { q: GOOD });
    const id = answer.headers.get('x-query-id');
    const status: Status = await call('GET', `/api/core/cursors/${id}`);
    expect(status.status).toBe(403);
  });
});
