// What fulltext looks for: DuckDB and the local evaluator keep the same rows.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld, UNDECLARED } from '#test/support/random-tables.ts';
import { resultText } from '#test/support/result-rows.ts';
import { textSearch } from '#test/support/text-searches.ts';

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

/** Of eight texts each; pipelines of test/differential begin with fulltext, too. */
const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 10);

/** How many there are. */
async function sameRows(text: string, runner: QueryRunner): Promise<number> {
  const found = resultText((await runner.run(text)).rows);
  expect({ text, found }).toEqual({ text, found: resultText(await runner.runLocally(text)) });
  return found.length;
}

describe('fulltext', () => {
  it.each([
    ['"kim"', 3],
    ['"of kim"', 3],
    ['tt=t "kim of"', 3],
    ['tt=t "kim straße"', 1],
    ['"kim straße"', 0],
    ['"LOG*"', 3],
    ['"*gin of k*"', 1],
    ['tt=t "*gin k*"', 2],
    ['"secret"', 0],
    ['"union select" or "철수"', 1],
    ['"김*" and not "kim"', 1],
    ['s == "LOGIN*"', 2],
    ['s != "login"', 5],
    ['not s == "login"', 6],
    ['s < "of"', 5],
    ['s >= "L" and s <= "LOGIN"', 1],
    ['m == "login" or m == 5', 1],
    ['n == range(5, 6)', 2],
    ['extra == iprange("10.0.0.0", "10.0.0.9")', 1],
    ['m > 5', 2],
    ['"true" or "7"', 2],
    ['"2026"', 1],
    ['_hidden == "SECRET"', 1],
  ])('%s', async (terms, count) => {
    for (const undeclared of [[], ['s', 'n', 'm', 'extra', 'rest', 'when']]) {
      await using runner = await QueryRunner.open({ tables: { t: ROWS } }, undeclared);
      expect({ undeclared, count: await sameRows(`fulltext ${terms} from t`, runner) }).toEqual({ undeclared, count });
    }
  });

  it('finds words in whatever case they are written', async () => {
    const texts = ['ΟΔΟΣ', 'οδος', 'οδοσ', 'İstanbul', 'istanbul', 'STRASSE', 'Straße', 'ǅ', 'ﬁn', 'ÉTÉ', 'été'];
    const rows = texts.map((s) => ({ s }));
    await using runner = await QueryRunner.open({ tables: { t: rows } });
    for (const text of texts) expect(await sameRows(`fulltext "${text}" from t`, runner)).toBeGreaterThan(0);
  });

  it('finds words of values whose JSON is written otherwise', async () => {
    const values = ['@2026-11-16 01:02:03+0000', 1.5e-7, 2.5e-300, 0.1 + 0.2, 'x\u0001foo', '한글 "따옴표"', 'C:\\foo'];
    const rows = values.flatMap((v) => [{ v }, { v: [v] }, { v: { in: v } }]);
    const words = ['2026', '03', '5e', '7', '300', '30000000000000004', 'foo', '한글', '따옴표', 'in'];
    for (const undeclared of [[], ['v']]) {
      await using runner = await QueryRunner.open({ tables: { t: rows } }, undeclared);
      for (const word of words)
        expect([word, await sameRows(`fulltext "${word}" from t`, runner)]).not.toEqual([word, 0]);
      for (const word of ['u0001foo', 'nowhere', '99']) await sameRows(`fulltext "${word}" from t`, runner);
    }
  });

  it('keeps the same rows for any terms', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(textSearch, { minLength: 8, maxLength: 8 }), smallWorld, async (texts, world) => {
        await using runner = await QueryRunner.open(world, UNDECLARED);
        for (const text of texts) found += await sameRows(text, runner);
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(0);
  });
});

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
    expect(await sameRows(text, runner)).toBe(count);
  });
});
