// GET /queries: whose they are, newest first, and its filters. PUT /queries/:id/tags.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import {
  cancel,
  ENDLESS,
  fillMany,
  finished,
  openCursor,
  QUERIES,
  ran,
  type Status,
  statusOf,
} from '#test/support/queries.ts';
import { expectListed } from '#test/support/status-records.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const invalid = (message: string) => refused(400, 'invalid-argument', message);
const SOURCES =
  "source value must be one of 'adhoc', 'console', 'scheduled-query', 'rest-api', 'java-client', 'python-client', 'system', 'core', 'batch-rule'.";

describe('GET /queries', () => {
  const subject = serviceFor();
  const { call } = subject;
  const ids: number[] = [];
  let member: Account;
  let running = 0;
  beforeAll(async () => {
    await fillMany(subject);
    member = await createAccount(subject, 'MEMBER', { login: 'kim' });
    const agent = { headers: { 'user-agent': 'vigil-java/1' } };
    ids.push((await ran(subject, 'json "[{a:1}]" | eval note = "Alpha"')).id);
    subject.clock.advance({ seconds: 1 });
    ids.push((await ran(subject, 'json "[{a:2}]" | eval note = "beta"', agent)).id);
    subject.clock.advance({ seconds: 1 });
    ids.push((await ran(subject, 'json "[{a:3}]" | eval note = "100%_alpha"', { key: member.key })).id);
    subject.clock.advance({ seconds: 1 });
    running = await openCursor(subject, ENDLESS);
    ids.push(running);
  });
  const found = async (query = '', key?: string) => {
    const { status, json } = await call('GET', `${QUERIES}?${query}`, key ? { key } : {});
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['total_count', 'queries']);
    return [json.total_count, ...json.queries.map(({ id }: Status) => ids.indexOf(id))];
  };

  it.each([
    ['', [4, 3, 2, 1, 0]],
    ['offset=1&limit=2', [4, 2, 1]],
    ['limit=0', [4]],
    ['offset=9', [4]],
    ['keywords=ALPHA', [2, 2, 0]],
    ['keywords=%25_', [1, 2]],
    ['keywords=.*', [0]],
    ['keywords=nothing', [0]],
    ['login_name=kim', [1, 2]],
    ['login_name=KIM', [0]],
    ['login_name=ki', [0]],
    ['source=java-client', [1, 1]],
    ['source=rest-api', [3, 3, 2, 0]],
    ['source=batch-rule', [0]],
    ['is_finished=false', [1, 3]],
    ['is_finished=true', [3, 2, 1, 0]],
    ['is_finished=true&source=rest-api&login_name=master&keywords=alpha', [1, 0]],
    ['login_name=&source=&is_finished=&keywords=', [4, 3, 2, 1, 0]],
  ])('of an administrator finds all that fit: %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('of a MEMBER finds its own alone, whatever it asks for', async () => {
    expect(await found('', member.key)).toEqual([1, 2]);
    expect(await found('login_name=master', member.key)).toEqual([0]);
    expect(await found('is_finished=false', member.key)).toEqual([0]);
    expect(await found('keywords=alpha', member.key)).toEqual([1, 2]);
  });

  it('has whole status records', async () => {
    const { json } = await call('GET', QUERIES);
    for (const record of json.queries) expectListed(record);
    const { stamp, ...record } = await statusOf(subject, ids[0] ?? 0);
    const shown = json.queries.at(-1);
    expect({ ...shown, stamp: 0 }).toEqual({ ...record, stamp: 0, node: shown.node });
    expect(stamp).toBeGreaterThan(shown.stamp);
  });

  it.each([
    ['offset=x', invalid("'offset' parameter should be int type")],
    ['offset=-1', invalid("'offset' must be greater than or equal to 0.")],
    ['limit=1001', invalid("'limit' must be less than or equal to 1000.")],
    ['limit=1.5', invalid("'limit' parameter should be int type")],
    ['source=x', invalid(SOURCES)],
    ['source=REST-API', invalid(SOURCES)],
    ['is_finished=1', refused(400, 'invalid-param-type', 'is_finished should be boolean type')],
    ['source=x&is_finished=1', invalid(SOURCES)],
    ['login_name=a&login_name=b', invalid("'login_name' is given twice.")],
  ])('complains about %s', async (query, complaint) => {
    expect(outcome(await call('GET', `${QUERIES}?${query}`))).toEqual(complaint);
  });

  it('leaves no entry', async () => {
    expect(await entriesOf(subject, () => call('GET', QUERIES))).toEqual([]);
    await cancel(subject, running);
    await finished(subject, running);
  });
});

describe('PUT /queries/:id/tags', () => {
  const subject = serviceFor();
  const { call } = subject;
  let id = 0;
  beforeAll(async () => {
    id = (await ran(subject, 'json "[]"', { tags: { first: '1' } })).id;
  });
  const put = (options: object) => call('PUT', `${QUERIES}/${id}/tags`, options);
  const tags = async () => (await statusOf(subject, id)).tags;
  const SIZE = "'tags' must be shorter than or equal to 65536 bytes.";

  it('replaces all tags', async () => {
    expect(await tags()).toEqual({ first: '1' });
    expect(outcome(await put({ json: { tags: { a: 'x', b: '' } } }))).toEqual([200, {}]);
    expect(await tags()).toEqual({ a: 'x', b: '' });
    expect(outcome(await put({ form: { tags: '{"한글":"😀"}' } }))).toEqual([200, {}]);
    expect(await tags()).toEqual({ 한글: '😀' });
    expect(outcome(await put({ json: { tags: {} } }))).toEqual([200, {}]);
    expect(await tags()).toEqual({});
  });

  it('takes any name', async () => {
    const body = '{"tags":{"__proto__":"p","constructor":"c","toString":"t"}}';
    expect((await put({ body, headers: { 'content-type': 'application/json' } })).status).toBe(200);
    const { text } = await call('GET', `${QUERIES}/${id}`);
    expect(text).toContain('"tags":{"__proto__":"p","constructor":"c","toString":"t"}');
  });

  it('takes a hundred keys and 64 KiB', async () => {
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 'v']));
    expect((await put({ json: { tags: hundred } })).status).toBe(200);
    expect(Object.keys(await tags())).toHaveLength(100);
    const large = { a: 'x'.repeat(65_536 - '{"a":""}'.length) };
    expect((await put({ json: { tags: large } })).status).toBe(200);
    expect(await tags()).toEqual(large);
  });

  it('keeps what was there when it refuses', async () => {
    await put({ json: { tags: { kept: 'yes' } } });
    const more = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 'v']));
    const rows: readonly [object, readonly [number, unknown]][] = [
      [{}, refused(400, 'null-argument', 'tags should be not null')],
      [{ form: { tags: '' } }, refused(400, 'null-argument', 'tags should be not null')],
      [{ json: { tags: null } }, refused(400, 'null-argument', 'tags should be not null')],
      [{ form: { tags: 'x' } }, refused(400, 'invalid-param-type', 'tags should be json type')],
      [{ form: { tags: '[]' } }, refused(400, 'invalid-param-type', 'tags should be json type')],
      [{ json: { tags: { a: 1 } } }, [400, expect.anything()]],
      [{ json: { tags: { a: null } } }, [400, expect.anything()]],
      [{ json: { tags: { a: { b: 'c' } } } }, [400, expect.anything()]],
      [{ json: { tags: more } }, [400, expect.objectContaining({ error_code: 'invalid-argument' })]],
      [{ json: { tags: { a: 'x'.repeat(65_536) } } }, invalid(SIZE)],
      [{ json: { tags: { a: '한'.repeat(30_000) } } }, invalid(SIZE)],
    ];
    for (const [options, refusal] of rows) expect(outcome(await put(options))).toEqual(refusal);
    expect(await tags()).toEqual({ kept: 'yes' });
  });

  it('holds for POST /cursors, too', async () => {
    const big = { q: 'json "[]"', tags: { a: 'x'.repeat(65_536) } };
    expect(outcome(await call('POST', '/api/core/cursors', { json: big }))).toEqual(invalid(SIZE));
  });
});
