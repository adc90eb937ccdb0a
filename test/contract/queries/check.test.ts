// POST /queries/check: every mistake with its place and what may have been meant; nothing runs.

import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { QUERIES, type Status } from '#test/support/queries.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const CHECK = `${QUERIES}/check`;

/** q, and of its first mistake: code, begin, end, line, column, message, suggestion. */
const MISTAKES: readonly [string, number, number, number, number, number, string, string | null][] = [
  ['table wev', 10001, 6, 9, 1, 7, 'there is no table wev', 'web'],
  ['table WEB', 10001, 6, 9, 1, 7, 'there is no table WEB', 'web'],
  ['table quitedifferent', 10001, 6, 20, 1, 7, 'there is no table quitedifferent', null],
  ['table web\n| serach a == 1', 92000, 12, 18, 2, 3, 'there is no command serach', 'search'],
  ['table web | search concta(a, 1) == "x"', 90300, 19, 25, 1, 20, 'there is no function concta', 'concat'],
  ['table limt=1 web', 90001, 6, 10, 1, 7, 'table has no option limt', 'limit'],
  ['table web | limit -1', 22400, 18, 20, 1, 19, 'expected a whole number not below 0', null],
  ['table web | search a == "x', 90004, 24, 26, 1, 25, 'string is not closed', null],
  ['table web | search a < b < c', 90204, 25, 26, 1, 26, 'comparisons cannot be chained; use and', null],
  ['json "[]" | union [ table wev ]', 10001, 26, 29, 1, 27, 'there is no table wev', 'web'],
  ['system tabels', 95000, 7, 13, 1, 8, 'there is no system object tabels', 'tables'],
  [
    'table web | forecast a',
    92003,
    12,
    20,
    1,
    13,
    'forecast is not available here; use stats with avg, stddev, percentile and slope, or export the rows',
    null,
  ],
  ['search a', 92001, 0, 8, 1, 1, 'a query begins with a command that makes rows', null],
];

describe('POST /queries/check', () => {
  const subject = serviceFor();
  const { call } = subject;
  const check = async (json: object, key?: string): Promise<Status> => {
    const answer = await call('POST', CHECK, { json, ...(key ? { key } : {}) });
    expect([answer.status, Object.keys(answer.json ?? {}).sort()]).toEqual([
      200,
      ['changes', 'columns', 'commands', 'hints', 'mistakes', 'normalized', 'replacement', 'tables', 'warnings'],
    ]);
    return answer.json;
  };
  beforeAll(async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await createLogger(subject, { table: 'hidden' });
    await push(subject, logger, { body: '{"a":1,"b":"x"}' });
  });

  it.each(MISTAKES)('names the mistake of %s', async (q, code, begin, end, line, column, message, suggestion) => {
    const { mistakes } = await check({ q });
    const [first] = mistakes;
    // Of a few the exact width is the implementation's: their beginning is not.
    const width = [92001, 90004, 90204].includes(code) ? first.end : end;
    const suggestions = suggestion === null ? [] : [suggestion];
    expect(first).toEqual({ code, begin, end: width, line, column, message, suggestion, suggestions });
  });

  it.each([
    ['table wev | serach a | limit x', [10001, 92000, 22400]],
    ['table web | join a [ table wev | sotr a ] | limt 1', [10001, 92000, 92000]],
    ['tabel web | search a == 1 | stats count', [92000]],
    ['set x = nope() | table web | search a == $("x")', [90300]],
    ['table web | search a == "x | serach b', [90004]],
  ])('tells all mistakes of %s, and none that only follows from another', async (q, codes) => {
    const { mistakes } = await check({ q });
    expect(mistakes.map(({ code }: Status) => code)).toEqual(codes);
  });

  it('tells what is wrong with hostile texts, and no more than a hundred of it', async () => {
    const hostile = [
      ['|'.repeat(20_000), 90003],
      ['['.repeat(1000), 92000],
      [`table web${' | x'.repeat(2000)}`, 92000],
      [`table web | search ${'('.repeat(20_000)}`, 90202],
      ['|'.repeat(600_000), 90009],
      [`table web${' | x'.repeat(70_000)}`, 90009],
      [`table web | search ${'('.repeat(600_000)}`, 90009],
      ['\u0001\u202e', 92000],
      [`json "${'x'.repeat(1_048_577)}"`, 90009],
    ] as const;
    for (const [q, code] of hostile) {
      const { mistakes } = await check({ q });
      expect([q.slice(0, 20), mistakes[0].code, mistakes.length <= 100]).toEqual([q.slice(0, 20), code, true]);
    }
  });

  it('knows what a setq will set without running it', async () => {
    const pairs = 'table web | join type=cross [ table web ] | repeat count=1000000000';
    const q = `setq [ ${pairs} | stats max(a) as top ] | table web | search a == $("top") | fields b`;
    expect(await check({ q })).toMatchObject({ mistakes: [], columns: [{ name: 'b', type: 'string' }] });
    const unset = await check({ q: q.replace('"top"', '"tops"') });
    expect(unset).toMatchObject({ mistakes: [], warnings: [{ code: 90400, suggestion: 'top' }] });
  });

  it('does not know procedures that do not exist', async () => {
    expect((await check({ q: 'proc busy(1)' })).mistakes[0]).toMatchObject({ code: 10300, suggestion: null });
  });

  it('counts positions in UTF-16 units of the text as typed', async () => {
    const { mistakes } = await check({ q: '# 😀 한글 | table wev' });
    expect(mistakes[0]).toMatchObject({ code: 10001, begin: 16, end: 19, line: 1, column: 17 });
  });

  it.each([
    ['  table   web|search  a==1 and b>"2"  ', 'table web | search (a == 1) and (b > "2")', ['web']],
    ['table order=desc  limit=5 web | # note | fields b,a', 'table limit=5 web | fields b, a', ['web']],
    ['json "[{x:1}]"', 'json "[{x:1}]"', []],
    ['table web | union [ table hidden ]', 'table web | union [ table hidden ]', ['hidden', 'web']],
    ['table web, none?', 'table web, none?', ['web']],
  ])('gives the normalized text and the tables of %s', async (q, normalized, tables) => {
    const answer = await check({ q });
    expect(answer).toMatchObject({ mistakes: [], normalized });
    expect([...answer.tables].sort()).toEqual(tables);
  });

  it('gives the columns of the result', async () => {
    const { columns } = await check({ q: 'table web | stats count as c, max(a) as m by b' });
    expect(columns.map((column: Status) => column.name ?? column)).toEqual(['b', 'c', 'm']);
  });

  it('takes params as a run would', async () => {
    const q = 'table web | search a == $("x")';
    expect(await check({ q, params: { x: 1 } })).toMatchObject({ mistakes: [], warnings: [] });
    expect(await check({ q, params: { y: 1 } })).toMatchObject({
      mistakes: [],
      warnings: [{ code: 90400, message: 'warning: parameter x is not set and reads as null', begin: 24, end: 30 }],
    });
  });

  it('complains about its own parameters like any operation', async () => {
    const rows: readonly [Record<string, string>, readonly [number, unknown]][] = [
      [{}, refused(400, 'null-argument', 'q should be not null')],
      [{ q: '' }, refused(400, 'null-argument', 'q should be not null')],
      [{ q: 'table web', params: 'x' }, refused(400, 'invalid-param-type', 'params should be json type')],
    ];
    for (const [form, refusal] of rows) expect(outcome(await call('POST', CHECK, { form }))).toEqual(refusal);
    expect(outcome(await call('POST', CHECK, { key: null, form: { q: 'x' } }))).toEqual(
      refused(401, 'unauthorized', 'invalid api key'),
    );
  });

  it('never tells a MEMBER of tables that it may not read', async () => {
    const member = await createAccount(subject, 'MEMBER', { login: 'member' });
    const inside = 'json "[]" | union [ json "[]" | union [ table hidden ] ]';
    for (const q of ['table hidden', 'table hiden', 'table wev', 'table web', 'import hidden', inside]) {
      const { mistakes, tables, columns } = await check({ q }, member.key);
      expect([q, mistakes[0].suggestion]).toEqual([q, null]);
      expect([tables ?? [], columns ?? []]).toEqual([[], []]);
    }
    const all = await check({ q: 'table *' }, member.key);
    expect(JSON.stringify(all)).not.toMatch(/hidden|web/);
  });

  it('speaks the language of the account', async () => {
    const korean = await createAccount(subject, 'ADMIN', { login: 'korean', locale: 'ko' });
    const { mistakes } = await check({ q: 'table wev' }, korean.key);
    expect(mistakes[0]).toMatchObject({ code: 10001, message: "'wev' 테이블이 없습니다", suggestion: 'web' });
  });

  it('runs nothing and leaves no entry', async () => {
    const before = (await call('GET', QUERIES)).json.total_count;
    const entries = await entriesOf(subject, async () => {
      await check({ q: 'table web' });
      await check({ q: 'table wev' });
      await check({ q: 'json "[{a:1}]" | import hidden' });
      await call('POST', CHECK, { form: {} });
    });
    expect(entries).toEqual([]);
    expect((await call('GET', QUERIES)).json.total_count).toBe(before);
    const counted = await call('GET', `/api/core/query?q=${encodeURIComponent('table hidden | stats count')}`);
    expect(counted.text).toBe('{"count":0}\n');
  });
});
