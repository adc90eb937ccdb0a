// How far down a limit reaches: what a scan is asked for.

import { expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';

const rows = [
  { line: 'user=a', n: 1 },
  { line: 'user=b', n: 2 },
];

it.each([
  ['table t | limit 5 10', 15n],
  ['table t | rex "user=(?<u>.)" | eval m = n + 1 | fields u, m | limit 10', 10n],
  ['table limit=4 offset=1 t | limit 2', 3n],
  ['table limit=4 offset=1 t | limit 20', 5n],
  ['table t | limit 20 | eval m = n + 1 | limit 1 5', 6n],
  ['table t | limit 2 | limit 1 5', 2n],
  ['table t | eval m = seq() | limit 10', undefined],
  ['table t | search n > 1 | limit 10', undefined],
  ['table t | sort n | limit 10', undefined],
  ['fulltext "a" from t | limit 10', undefined],
  ['table t', undefined],
] as const)('%s reads no more than it must', async (text, first) => {
  const runner = await QueryRunner.open({ tables: { t: rows } });
  expect(await runner.firstRows(text)).toEqual([first]);
});

it.each([
  ['table t', 25n],
  ['table t | eval m = n + 1 | rename m as k', 25n],
  ['table t | limit 3 100', 28n],
  ['table t | limit 3 12', 15n],
  ['table limit=7 t', 7n],
  ['table t | search n > 1', undefined],
] as const)('A page of %s reads no more than it must', async (text, first) => {
  const runner = await QueryRunner.open({ tables: { t: rows } });
  expect(await runner.firstRows(text, { offset: 20n, limit: 5n })).toEqual([first]);
});

it('A page beyond what a limit passes has no rows', async () => {
  const runner = await QueryRunner.open({ tables: { t: rows } });
  expect(await runner.page('table t | limit 1', { offset: 1n, limit: 5n })).toEqual([]);
  expect((await runner.page('table t | limit 1 5', { offset: 0n, limit: 5n })).map((row) => row.get('n'))).toEqual([
    2n,
  ]);
});

it('Rows come back as they were: dates, binaries and values of mixed columns', async () => {
  const runner = await QueryRunner.open(
    {
      tables: { t: [{ d: '@2026-11-15 09:00:00+0900', m: 'x', x: 6.5 }, { m: '@2026-11-15 09:00:00+0900' }] },
    },
    ['other'],
  );
  const text =
    'table t | eval b = frombase64("AP8="), k = dict("at", d), big = 9007199254740993, x = x * 2 | fields d, m, b, k, big, x';
  const { rows: found } = await runner.run(text);
  expect(found).toEqual(await runner.runLocally(text));
  expect(found[0]?.get('b')).toEqual(new Uint8Array([0, 255]));
});
