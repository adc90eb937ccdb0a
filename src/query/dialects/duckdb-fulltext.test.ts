// What a subquery finds, looked for by fulltext: DuckDB and the host keep the same rows.

import { beforeAll, describe, expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';
import { resultText } from '#test/support/result-rows.ts';

const ROWS = [
  { s: 'Login of KIM, once', n: 5, m: 'x', extra: 'Straße 7' },
  { s: 'login', n: 5.5, m: 5, rest: ['a b', { k: '김철수' }] },
  { s: 'of kim', n: null, m: 5.5, _hidden: 'secret' },
  { s: '---', n: -7, m: true, extra: 'union  select' },
  { s: '', n: 9007199254740992, m: '9007199254740992', when: '@2026-11-15 09:10:00+0900' },
  { m: ['of', 'kim'], n: 0, extra: 10 },
  { s: 'A*c', m: { a: 'LOGIN' }, extra: '10.0.0.1' },
];

const FOUND = [
  { v: 'kim', w: 'LOGIN OF' },
  { v: '5', w: 'kim of' },
  { v: 5.5, w: 'a*' },
  { v: null, w: '  ' },
  { v: true, w: 'SELECT' },
  { v: 9007199254740992, w: '10.0.0.1' },
  { v: 'A*C', w: '철수' },
  { v: ['OF', 'kim'], w: 'secret' },
  { v: '---', w: '-' },
];

describe('fulltext with subqueries', () => {
  let runner: QueryRunner;
  beforeAll(async () => {
    runner = await QueryRunner.open({ tables: { t: ROWS, f: FOUND } }, ['s', 'n', 'm', 'v', 'w', 'when']);
  });

  it.each([
    ['fulltext [ table f | search v == "kim" | fields v ] from t', 3],
    ['fulltext [ table f | search w == "login of" or w == "LOGIN OF" | fields w ] from t', 1],
    ['fulltext tt=t [ table f | search w == "LOGIN OF" | fields w ] from t', 1],
    ['fulltext tt=t [ table f | search w == "kim of" | fields w ] from t', 3],
    ['fulltext [ table f | search w == "kim of" | fields w ] from t', 0],
    ['fulltext [ table f | search w == "secret" | fields w ] from t', 0],
    ['fulltext [ table f | search w == "SELECT" or w == "10.0.0.1" | fields w ] from t', 2],
    ['fulltext s == [ table f | fields v ] from t', 2],
    ['fulltext n == [ table f | fields v ] from t', 3],
    ['fulltext m == [ table f | fields v ] from t', 4],
    ['fulltext not m == [ table f | fields v ] from t', 3],
    ['fulltext extra == [ table f | fields w ] from t', 1],
    ['fulltext [ table f | drop ] from t', 0],
    ['fulltext not [ table f | drop ] from t', 7],
    ['fulltext not ([ table f | search v == "kim" | fields v ] or "union") from t | stats count by s', 3],
    ['fulltext [ json "[]" ] or not n == [ json "[]" ] from t', 7],
    ['fulltext n == [ fulltext w == [ table f | fields w | limit 1 ] from f | eval n = 5 | fields n ] from t', 1],
    ['fulltext s == [ table t | stats count by s ] from t | fields s', 6],
  ])('%s', async (text, count) => {
    const found = resultText((await runner.run(text)).rows);
    expect(found).toEqual(resultText(await runner.onHost(text)));
    expect(found.length).toBe(count);
  });
});
