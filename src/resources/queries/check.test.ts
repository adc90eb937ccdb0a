import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

/** The outline of `table web`, whose columns an error leaves open. */
const TABLE = [{ name: 'table', begin: 0, end: 9, kind: 'driver', columns: null }];

describe('Checking a text', () => {
  const subject = serviceFor();
  const { call } = subject;
  const check = async (q: string, options: { key?: string; params?: object } = {}) => {
    const { key, params } = options;
    const json = { q, ...(params ? { params } : {}) };
    return outcome(await call('POST', '/api/core/queries/check', { json, ...(key ? { key } : {}) }));
  };
  const mistaken = (mistake: object, commands: object[] = []) => [
    200,
    {
      mistakes: [mistake],
      warnings: [],
      hints: [],
      commands,
      changes: false,
      normalized: null,
      columns: [],
      tables: [],
      replacement: null,
    },
  ];

  it('tells the whole text as it should read, by the hints of all mistakes', async () => {
    const replacementOf = async (q: string) =>
      (await subject.call('POST', '/api/core/queries/check', { json: { q } })).json.replacement;
    const texts = [
      'status=500 user != kim | head 3',
      "json '{}'",
      'json "{a:1}" | where a = 1 AND b LIKE \'x%\' | top limit=5 a',
      'json "{}" | nope 1',
      'search failed',
    ];
    expect(await Promise.all(texts.map(replacementOf))).toEqual([
      'table * | search (status == 500) and (user != "kim") | limit 3',
      'json "{}"',
      'json "{a:1}" | search (a == 1) and (b == "x*") | top 5 a',
      null,
      'table * | search failed',
    ]);
  });

  it('tells its normalized form, its columns and its tables, and runs nothing', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await push(subject, logger, { body: '{"a":1,"s":"x"}' });
    expect(await check('table  order=desc web|stats  count as n by s | union [ table web ] ')).toEqual([
      200,
      {
        mistakes: [],
        warnings: [],
        hints: [],
        commands: [
          { name: 'table', begin: 0, end: 21, kind: 'driver', columns: expect.any(Array) },
          {
            name: 'stats',
            begin: 22,
            end: 44,
            kind: 'transforming',
            columns: [
              { name: 's', type: 'string' },
              { name: 'n', type: 'long' },
            ],
          },
          { name: 'union', begin: 47, end: 66, kind: 'transforming', columns: expect.any(Array) },
        ],
        changes: false,
        normalized: 'table web | stats count as n by s | union [ table web ]',
        columns: [
          { name: 's', type: 'string' },
          { name: 'n', type: 'long' },
          { name: '_table', type: 'string' },
          { name: '_time', type: 'date' },
          { name: '_id', type: 'long' },
          { name: 'a', type: 'long' },
        ],
        tables: ['web'],
        replacement: null,
      },
    ]);
    expect((await call('GET', '/api/core/queries')).json.total_count).toBe(0);
  });

  it('tells the first mistake with its place and what may have been meant', async () => {
    expect(await check('table web\n| serach a == 1')).toEqual(
      mistaken(
        {
          code: 92000,
          message: 'there is no command serach',
          begin: 12,
          end: 18,
          line: 2,
          column: 3,
          suggestion: 'search',
          suggestions: ['search'],
        },
        [{ name: 'table', begin: 0, end: 9, kind: 'driver', columns: expect.any(Array) }],
      ),
    );
    const wev = { code: 10001, message: 'there is no table wev', begin: 6, end: 9, line: 1, column: 7 };
    expect(await check('table wev')).toEqual(mistaken({ ...wev, suggestion: 'web', suggestions: ['web'] }, TABLE));
  });

  it('speaks the language of the account, and suggests no table that the caller may not see', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'reader', locale: 'ko' });
    const web = { code: 10001, message: "'web' 테이블이 없습니다", begin: 6, end: 9, line: 1, column: 7 };
    expect(await check('table web', { key })).toEqual(mistaken({ ...web, suggestion: null, suggestions: [] }, TABLE));
    const wev = { ...web, message: "'wev' 테이블이 없습니다" };
    expect(await check('table wev', { key })).toEqual(mistaken({ ...wev, suggestion: null, suggestions: [] }, TABLE));
  });

  it('knows the parameters that are given with it', async () => {
    const q = 'json "{}" | eval x = $("n")';
    expect(await check(q)).toMatchObject([200, { mistakes: [], warnings: [{ code: 90400 }] }]);
    expect(await check(q, { params: { n: 1.5 } })).toMatchObject([
      200,
      { mistakes: [], columns: [{ name: 'x', type: 'double' }] },
    ]);
    expect(await check(q, { params: { _n: 1 } })).toMatchObject([200, { mistakes: [{ code: 90402, line: 1 }] }]);
  });

  it.each([
    ['table web | import web', true],
    ['table web | join a [ table web | memlookup op=build name=m key=a s ]', true],
    ['wget profile=api method=post', true],
    ['table none | import web', true],
    ['table web | serach a | import', true],
    ['table web | union [ table web | import none ]', true],
    ['table none | memlookup op=build name=m key=a s', true],
    ['table web | eval s = "import', false],
    ['table web | memlookup op=list', false],
  ])('tells whether a run could change something, as far as the text can be read: %s', async (q, changes) => {
    expect(await check(q)).toMatchObject([200, { changes }]);
  });

  it('needs a text', async () => {
    expect(await check('')).toEqual(refused(400, 'null-argument', 'q should be not null'));
  });
});
