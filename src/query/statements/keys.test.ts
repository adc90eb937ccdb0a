// What DuckDB finds rows by in place of comparing them: keys of groups and joins, places of first rows, starts of buckets.
// The local evaluator compares the values themselves.

import { describe, expect, it } from 'vitest';
import type { ExampleValue } from '#query/model/example.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { resultText } from '#test/support/result-rows.ts';

const VALUES: readonly ExampleValue[] = [
  null,
  true,
  'true',
  'True',
  0,
  '0',
  '-0',
  ' 5 ',
  5,
  '5',
  '5.0',
  '5e0',
  2.5,
  '2.5',
  9007199254740992,
  '9007199254740992',
  '9007199254740993',
  '9223372036854775808',
  '1e400',
  '0x5',
  '',
  ' ',
  '+',
  '-a',
  '한글',
  '"',
  [1, 2],
  [1, 2.5],
  '[1,2]',
  { k: 1 },
  '@2026-11-15 09:00:00+0900',
  '2026-11-15 09:00:00',
  '2026-11-15T00:00:00Z',
  '2026-11-15',
];

async function agree(texts: readonly string[], tables: Record<string, readonly Record<string, ExampleValue>[]>) {
  const runner = await QueryRunner.open({ tables }, ['o']);
  for (const text of texts) {
    const { rows, isOrdered } = await runner.run(text);
    const found = resultText(rows);
    const wanted = resultText(await runner.runLocally(text));
    expect({ text, rows: isOrdered ? found : found.sort() }).toEqual({
      text,
      rows: isOrdered ? wanted : wanted.sort(),
    });
  }
}

const mixed = VALUES.map((m, n) => ({ m, o: m, n, s: typeof m === 'string' ? m : `${n}` }));

it('Joins find what is equal, whatever types the keys have', async () => {
  const types = ['inner', 'left', 'right', 'full', 'leftonly', 'rightonly'];
  const right = (keys: string) => {
    const made = keys.split(', ').map((key, at) => `${key} = ${at === 0 ? 'm' : 'z'}`);
    return `[ table r | eval q = n, z = s, ${made.join(', ')} | fields q, ${keys} ]`;
  };
  await agree(
    types.flatMap((type) =>
      ['m', 'o', 's', 'n', 'm, s', 'o, n'].map(
        (keys) => `table t | join type=${type} ${keys} ${right(keys)} | fields n, q`,
      ),
    ),
    { t: mixed, r: [...mixed, ...mixed.slice(3, 9)] },
  );
});

it('Outer joins of keys of several types do not compare all pairs of rows', async () => {
  const count = 4000;
  const rows = (of: number, second: number) =>
    Array.from({ length: count }, (_, n) => ({ m: n % second ? n * of : `${n * of}`, n }));
  const runner = await QueryRunner.open({ tables: { t: rows(1, 2), r: rows(2, 3) } });
  // Comparing 16 million pairs takes half a minute.
  const matched = async (type: string) => {
    const text = `table t | join type=${type} m [ table r | eval q = 1 | fields m, q ] | stats count, count(q) as matched`;
    return (await runner.run(text)).rows.map((row) => [row.get('count'), row.get('matched')].map(Number));
  };
  expect(await matched('left')).toEqual([[count, count / 2]]);
  expect(await matched('full')).toEqual([[(count * 3) / 2, count]]);
  expect(await matched('leftonly')).toEqual([[count / 2, 0]]);
});

it('Groups hold what is one value', async () => {
  const twice = [...mixed, ...mixed.map((row) => ({ ...row, m: typeof row.m === 'number' ? row.m + 0.5 : row.m }))];
  await agree(
    [
      'table t | eval m = if(n > 3, double(n), n) | stats count, sum(n) as s by m',
      'table t | stats count, sum(n) as s by m',
      'table t | stats count by o, m',
      'table t | eventstats count as c by m | fields n, c',
      'table t | top 40 m',
      'table t | eval half = if(n > 9, "a", "b") | top 3 m by half',
      'table t | eval half = if(n > 9, "a", "b"), third = mod(n, 3) | rare 2 third by half',
    ],
    { t: [...twice, ...twice] },
  );
});

it('The first rows of a table are those of the first time, and of equal times those of the first number', async () => {
  const times = ['@2026-11-15 09:00:00+0900', '@2026-11-15 09:00:01+0900', '@1965-01-01 00:00:00+0900'];
  const rows = Array.from({ length: 40 }, (_, n) => ({
    _time: times[(n * 7) % 3] ?? null,
    n,
    k: n % 4,
    m: VALUES[n % 9] ?? null,
  }));
  await agree(
    ['desc', 'asc'].flatMap((order) => [
      `table order=${order} t | dedup k`,
      `table order=${order} t | dedup m, k | fields n`,
      `table order=${order} t | search n > 9 | fields n, k | dedup k`,
      `table order=${order} t | search limit=20 n > 3 | dedup m`,
      `table order=${order} t | dedup count=2 k | dedup k`,
      `table order=${order} t, u | dedup k | stats sum(n) as s`,
    ]),
    { t: rows, u: rows.slice(3, 20) },
  );
});

describe('Buckets', () => {
  it.each([
    'Asia/Seoul',
    'America/New_York',
    'Australia/Lord_Howe',
    'Antarctica/Troll',
    'Pacific/Apia',
    'Africa/Monrovia',
  ])('are those of the local evaluator around the clock changes of %s', async (zone) => {
    const start = Temporal.Instant.from('1969-06-01T00:00:00Z').toZonedDateTimeISO(zone);
    const times: Temporal.Instant[] = [start.toInstant(), Temporal.Instant.from('2101-05-05T05:05:05Z')];
    for (let at = start.getTimeZoneTransition('next'); at && at.year < 2042; at = at.getTimeZoneTransition('next')) {
      for (const minutes of [-1793, -53, 7, 67, 1807, 54_007]) times.push(at.toInstant().add({ minutes }));
    }
    const few = times.filter((_, index) => index < 20 || index % Math.ceil(times.length / 120) === 0);
    const rows = few.map((at) => ({ _time: `@${at.toString().replace('T', ' ').slice(0, 19)}+0000` }));
    const set = `set _timezone = "${zone}" | table t`;
    const spans = ['7m', '1h', '2h', '1d', '1w', '1mon', '2mon', '1y'];
    await agree(
      spans.flatMap((span) => [
        `${set} | timechart span=${span} count`,
        `${set} | bin span=${span} offset=90m _time | fields _time`,
      ]),
      { t: rows },
    );
  });
});
