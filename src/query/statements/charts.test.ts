// Charts with many columns, and with keys that are anything.

import { expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';

const KEYS = [
  '',
  'a"b',
  "it's",
  '\u0000',
  'é',
  '한글',
  '\\',
  '%',
  '{"a":1}',
  '[1]',
  'null',
  'empty',
  '$1',
  'vigil_value_1',
];

it.each([
  'table t | pivot count cols k',
  'table t | pivot fill=0 count, max(n) as m rows p cols k',
  'table t | pivot fill="-" max(n) rows p cols k, n',
  'table t | timechart span=1h fill=0 sum(n) by k',
  'table t | timechart span=1h limit=3 sum(n) as s, count by k',
  'table t | timechart span=1h limit=3 useother=f sum(n) by k',
  'table t | timechart span=1h cont=t fill=7 limit=20 values(n) by k',
])('%s is what the local evaluator makes of it, whatever the keys are', async (text) => {
  // Null and the text `null` are one key, and so are the empty text and `empty`.
  for (const keys of [KEYS, [null, ...KEYS], [null, '', 'x', 7, 7.5, true], [true, false], [3, 10, null]]) {
    const t = keys.flatMap((k, n) => [
      { _time: '@2026-11-15 09:00:00+0900', k, n, p: n % 3 },
      { _time: '@2026-11-15 11:00:00+0900', k, n: n % 2 ? n : null, p: n % 2 },
    ]);
    const runner = await QueryRunner.open({ tables: { t } });
    expect((await runner.run(text)).rows).toEqual(await runner.runLocally(text));
  }
});

it('A chart is made of the groups that have told its columns: its rows are read once', async () => {
  const runner = await QueryRunner.open({ tables: { t: KEYS.map((k, n) => ({ k, n })) } });
  expect(await runner.firstRows('table t | search n > 2 | pivot count, max(n) cols k')).toEqual([]);
});

it('A chart of thousands of columns is made of its rows like one of a few', async () => {
  const t = Array.from({ length: 1500 }, (_, n) => ({ k: `key ${n}`, n, p: n % 2 }));
  const runner = await QueryRunner.open({ tables: { t } });
  const { rows } = await runner.run('table t | pivot fill=-1 sum(n) rows p cols k');
  expect(rows.map((row) => row.size)).toEqual([1501, 1501]);
  expect(rows.map((row) => [row.get('key 1498'), row.get('key 1499')])).toEqual([
    [1498n, -1n],
    [-1n, 1499n],
  ]);
});

const NAMED = [
  { _time: '@2026-11-15 09:00:00+0900', k: 'OTHER', d: 'x' },
  { _time: '@2026-11-15 09:00:00+0900', k: 'OTHER', d: 'y' },
  { _time: '@2026-11-15 09:00:00+0900', k: '_time', d: 'x' },
  { _time: '@2026-11-15 09:00:00+0900', k: '', d: 'd' },
  { _time: '@2026-11-15 09:00:00+0900', k: null, d: 'd' },
];

it.each([
  ['timechart count by k', ['_time', 'empty', 'OTHER', '_time_', 'null']],
  ['timechart limit=1 count by k', ['_time', 'OTHER', 'OTHER_']],
  ['timechart limit=1 count as n, max(d) as m by k', ['_time', 'OTHER_n', 'OTHER_m', 'OTHER__n', 'OTHER__m']],
  ['timechart limit=1 useother=f count by k', ['_time', 'OTHER']],
  ['pivot count rows d cols d', ['d', 'd_', 'x', 'y']],
  ['pivot count cols d by k', ['k', 'd', 'x', 'y']],
])('%s names its columns by the values, each name once', async (text, columns) => {
  const runner = await QueryRunner.open({ tables: { t: NAMED } });
  expect((await runner.run(`table t | ${text}`)).columns).toEqual(columns);
});

it('A pivot without cols is a stats, also without input', async () => {
  const runner = await QueryRunner.open({ tables: { t: NAMED } });
  for (const [pivot, stats] of [
    ['pivot fill=0 count', 'stats count'],
    ['pivot count, max(k) by d', 'stats count, max(k) by d'],
  ]) {
    for (const lead of ['table t', 'table t | drop']) {
      const one = await runner.run(`${lead} | ${pivot}`);
      const other = await runner.run(`${lead} | ${stats}`);
      expect([one.rows, one.columns, one.pushes]).toEqual([other.rows, other.columns, other.pushes]);
    }
  }
});
