// Cursors: a query that goes on by itself, and its rows from any place, as often as they are wanted.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  badQuery,
  CURSORS,
  cancel,
  ENDLESS,
  ENDLESS_ROWS,
  endAll,
  fillMany,
  finished,
  isFinished,
  linesOf,
  listed,
  notYours,
  openCursor,
  postCursor,
  QUERIES,
  ran,
  reached,
  rowsFrom,
  statusOf,
} from '#test/support/queries.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrongType = (message: string) => refused(400, 'invalid-param-type', message);
const GOOD = 'json "[{a:1}]"';

describe('POST /cursors', () => {
  const subject = serviceFor();
  const { call } = subject;
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('takes a form, and answers while the query runs', async () => {
    const form = { q: ENDLESS, background: 'false', params: '{"a":1}', tags: '{"b":"2"}' };
    const answer = await call('POST', CURSORS, { form });
    expect(outcome(answer)).toEqual([200, { id: expect.any(Number) }]);
    const status = await statusOf(subject, answer.json.id);
    expect(status).toMatchObject({ background: false, is_finished: false, constants: { a: 1 }, tags: { b: '2' } });
  });

  it.each([
    [{}, refused(400, 'null-argument', 'q should be not null')],
    [{ q: '' }, refused(400, 'null-argument', 'q should be not null')],
    [{ q: 'table wev' }, badQuery('(10001) there is no table wev at 1:7')],
    [{ q: 'json "[]" |', background: 'x' }, wrongType('background should be boolean type')],
    [{ q: GOOD, background: 'yes' }, wrongType('background should be boolean type')],
    [{ q: GOOD, params: 'x' }, wrongType('params should be json type')],
    [{ q: GOOD, params: '[1]' }, wrongType('params should be json type')],
    [{ q: GOOD, params: '"x"' }, wrongType('params should be json type')],
    [{ q: GOOD, tags: '{' }, wrongType('tags should be json type')],
    [{ q: GOOD, tags: '[]' }, wrongType('tags should be json type')],
    [{ q: GOOD, background: 'yes', params: 'x' }, wrongType('background should be boolean type')],
    [
      { q: 'json "[]" | limit $("x")', params: '{"y":1}' },
      badQuery('(22400) expected a whole number not below 0 at 1:19'),
    ],
  ])('complains about %j, and nothing runs', async (form, complaint) => {
    const before = (await call('GET', QUERIES)).json.total_count;
    expect(outcome(await call('POST', CURSORS, { form: form as Record<string, string> }))).toEqual(complaint);
    expect((await call('GET', QUERIES)).json.total_count).toBe(before);
  });

  it('is background unless told otherwise', async () => {
    for (const [background, shown] of [
      [undefined, true],
      [true, true],
      [false, false],
    ] as const) {
      const id = await openCursor(subject, GOOD, background === undefined ? {} : { background });
      expect((await statusOf(subject, id)).background).toBe(shown);
    }
  });
});

describe('GET /cursors/:id', () => {
  const subject = serviceFor();
  const { call } = subject;
  let id = 0;
  beforeAll(async () => {
    await fillMany(subject);
    id = (await ran(subject, 'table many | sort n | fields n, k')).id;
  });
  afterEach(() => endAll(subject));
  const numbers = async (parameters: string) => linesOf(await rowsFrom(subject, id, parameters)).map(({ n }) => n);

  it('gives a thousand rows from the beginning unless told otherwise', async () => {
    expect(await numbers('')).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    expect(await numbers('offset=&limit=')).toHaveLength(1000);
  });

  it.each([
    ['offset=5&limit=3', [5, 6, 7]],
    ['offset=19998', [19_998, 19_999]],
    ['offset=20000', []],
    ['offset=9223372036854775807', []],
    ['limit=0', []],
    ['offset=12345&limit=1', [12_345]],
    ['offset=0&limit=1', [0]],
  ])('gives the page %s', async (parameters, expected) => {
    expect(await numbers(parameters)).toEqual(expected);
  });

  it('gives all of them at once, and any of them again and again', async () => {
    expect(await numbers('limit=9223372036854775807')).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
    for (let round = 0; round < 60; round += 1) {
      const offset = (round * 7919) % 20_000;
      expect(await numbers(`offset=${offset}&limit=2`)).toEqual([offset, offset + 1].filter((n) => n < 20_000));
    }
  });

  it('is answered to many at once', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, (_, page) => numbers(`offset=${page * 1000}`)));
    expect(pages.flat()).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
  });

  it('gives the wanted fields in their order', async () => {
    expect((await rowsFrom(subject, id, 'offset=3&limit=1&fields=k,none,n')).text).toBe('{"k":3,"n":3}\n');
  });

  it.each([
    ['offset=x', invalid('offset should be long type.')],
    ['offset=-1', invalid('offset should be non-negative integer.')],
    ['limit=9223372036854775808', invalid('limit should be long type.')],
    ['limit=-1', invalid('limit should be non-negative integer.')],
    ['format=pdf', invalid('format should be one of html, txt, xml, csv, json or json-single.')],
  ])('complains about %s', async (parameters, complaint) => {
    expect(outcome(await rowsFrom(subject, id, parameters))).toEqual(complaint);
  });

  it('gives the rows found so far, which stay what they are', async () => {
    const endless = await openCursor(subject, ENDLESS_ROWS.replace('table many', 'table many | fields n'));
    const running = await reached(subject, endless, ({ rows }) => rows > 5000);
    expect(running.is_finished).toBe(false);
    const page = await rowsFrom(subject, endless, 'offset=100&limit=50');
    expect(linesOf(page)).toHaveLength(50);
    const single = (await rowsFrom(subject, endless, 'limit=1&format=json-single')).json;
    expect(single.total).toBeGreaterThanOrEqual(running.rows);
    expect(single.rows).toHaveLength(1);
    expect((await rowsFrom(subject, endless, 'offset=99999999999')).text).toBe('');
    await cancel(subject, endless);
    const last = await finished(subject, endless);
    expectRecord(last);
    expect(last.rows).toBeGreaterThanOrEqual(single.total);
    expect((await rowsFrom(subject, endless, 'offset=100&limit=50')).text).toBe(page.text);
    expect(linesOf(await rowsFrom(subject, endless, `offset=${last.rows - 1}`))).toHaveLength(1);
    expect((await rowsFrom(subject, endless, `offset=${last.rows}`)).text).toBe('');
    expect((await rowsFrom(subject, endless, 'limit=1&format=json-single')).json.total).toBe(last.rows);
    expect((await call('DELETE', `${CURSORS}/${endless}`)).json).toEqual({ status: 'ok' });
  });

  it('gives nothing of a query that has no row yet', async () => {
    const endless = await openCursor(subject, ENDLESS);
    const answer = await rowsFrom(subject, endless);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await rowsFrom(subject, endless, 'format=json-single')).json).toMatchObject({ rows: [], total: 0 });
  });

  it('gives values of every kind and size as they are', async () => {
    const long = 'y'.repeat(300_000);
    const q = `json "[{}]" | eval a = "${long}", b = "한글 😀 \\n\\t\\"", c = -9223372036854775807 - 1, d = 0.1 | repeat count=40`;
    const { id: wide, rows } = await ran(subject, q);
    expect(rows).toBe(40);
    const { text } = await rowsFrom(subject, wide, 'offset=39');
    expect(text).toContain('"c":-9223372036854775808');
    expect(linesOf({ text } as never)).toMatchObject([{ a: long, b: '한글 😀 \n\t"', d: 0.1 }]);
  });
});

describe('DELETE /cursors/:id', () => {
  const subject = serviceFor();
  const { call } = subject;
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('drops rows and status, once', async () => {
    const { id } = await ran(subject, GOOD);
    expect(outcome(await call('DELETE', `${CURSORS}/${id}`))).toEqual([200, { status: 'ok' }]);
    expect(outcome(await call('DELETE', `${CURSORS}/${id}`))).toEqual(notYours(id));
    expect(outcome(await call('GET', `${QUERIES}/${id}`))).toEqual(notYours(id));
    expect(outcome(await rowsFrom(subject, id))).toEqual(notYours(id));
    expect(await listed(subject, id)).toBeUndefined();
  });

  it('cancels a query that runs, which then is no more', async () => {
    const id = await openCursor(subject, ENDLESS);
    expect(outcome(await call('DELETE', `${CURSORS}/${id}`))).toEqual([200, { status: 'ok' }]);
    expect(outcome(await call('GET', `${QUERIES}/${id}`))).toEqual(notYours(id));
    const { json } = await call('GET', QUERIES);
    expect(json.queries.filter(isFinished)).toHaveLength(json.total_count);
  });

  it('frees the place of the query', async () => {
    const ids: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const id = await openCursor(subject, ENDLESS);
      await call('DELETE', `${CURSORS}/${id}`);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(20);
    expect((await ran(subject, GOOD)).rows).toBe(1);
  });

  it('is known to POST only by what it says: an answer that is no JSON is refused', async () => {
    const answer = await call('POST', CURSORS, { body: '{"q":', headers: { 'content-type': 'application/json' } });
    expect(outcome(answer)).toEqual(refused(400, 'invalid-argument', 'malformed request body'));
    expect((await postCursor(subject, GOOD)).status).toBe(200);
  });
});
