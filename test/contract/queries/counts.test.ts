// push_count is exact for every command once a run has ended, whatever the pipeline and wherever the records lie.

import { beforeAll, describe, expect, it } from 'vitest';
import { push } from '#test/support/logs.ts';
import { ask, fillMany, finished, ran, type Status } from '#test/support/queries.ts';
import { seal } from '#test/support/segments.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';

/** `many` has n from 0 to 999 and k = n mod 10. */
const PIPELINES: readonly [q: string, ...counts: number[]][] = [
  ['table many', 1000],
  ['table limit=7 many', 7],
  ['table offset=990 many', 10],
  ['table many | bypass | drop', 1000, 1000, 0],
  ['table many | search n < 100', 1000, 100],
  ['table many | search n < 100 | search k == 3', 1000, 100, 10],
  ['table many | search n < 0 | stats count', 1000, 0, 1],
  ['table many | search n < 0 | stats count by k', 1000, 0, 0],
  ['table many | search nosuchfield', 1000, 0],
  ['table many | eval m = n * 2 | search m >= 1000 | fields m | rename m as x', 1000, 1000, 500, 500, 500],
  ['table many | search k < 5 | eval j = mod(n, 2) | search j == 0 | stats count by j', 1000, 500, 500, 300, 1],
  ['table many | stats count by k', 1000, 10],
  ['table many | stats count by k | search k > 3', 1000, 10, 6],
  ['table many | search k > 3 | stats count by k | search k > 7 | stats count', 1000, 600, 6, 2, 1],
  ['table many | eventstats count by k | search count == 100', 1000, 1000, 1000],
  ['table many | sort n', 1000, 1000],
  ['table many | sort limit=5 -n', 1000, 5],
  ['table many | sort limit=2 -n by k', 1000, 20],
  ['table many | sort limit=2 -n by k | search k == 1', 1000, 20, 2],
  ['table many | search k == 1 | sort -n | stats count', 1000, 100, 100, 1],
  ['table many | dedup k', 1000, 10],
  ['table many | dedup count=3 k | search k < 2', 1000, 30, 6],
  ['table many | search n >= 500 | dedup k | stats count', 1000, 500, 10, 1],
  ['table many | top 3 k', 1000, 3],
  ['table many | search k < 2 | rare 5 k', 1000, 200, 2],
  ['table many | timechart span=1d count', 1000, 1],
  ['table many | search k < 3 | timechart span=1d count by k', 1000, 300, 1],
  ['table many | pivot count rows k cols text | drop', 1000, 10, 0],
  ['table many | search k < 3 | pivot count cols k', 1000, 300, 1],
  ['table many | repeat count=3', 1000, 3000],
  ['table many | search k == 0 | repeat count=3 | search n < 10 | repeat count=2', 1000, 100, 300, 3, 6],
  ['table many | union [ table many | search k == 1 ]', 1000, 1100],
  ['table many | search k == 2 | union [ table many | search k == 1 ] | search n < 100', 1000, 100, 200, 20],
  ['union [ table many ] | union [ table many ] | stats count', 1000, 2000, 1],
  ['table many | join n [ table many | search k == 1 ]', 1000, 100],
  ['table many | search n < 50 | join k [ table many | dedup k ] | search k == 1', 1000, 50, 50, 5],
  ['table many | join type=cross [ json "[{x:1},{x:2}]" ] | search x == 2', 1000, 2000, 1000],
  ['set a = 5 | table many | search k == $("a")', 0, 1000, 100],
  ['setq [ table many | stats max(k) as a ] | table many | search k == $("a") | stats count', 0, 1000, 100, 1],
  ['table many | set a = 5 | search k == $("a")', 1000, 1000, 100],
  ['json "[{l:[1,2,3]},{l:[]},{x:1},{l:5}]" | explode l', 4, 6],
  ['json "[{l:[1,2,3]},{l:[]},{x:1},{l:5}]" | explode l | search l > 1', 4, 6, 3],
  ['json "[]" | stats count', 0, 1],
  ['json "[{}]" | repeat count=3 | eval n = seq()', 1, 3, 3],
  ['table many | rex field=text "record (?<d>\\d)" | search d == "1"', 1000, 1000, 111],
  ['table many | fillnull value=0 | bin span=100 n | stats count by n | sort -n', 1000, 1000, 1000, 10, 10],
  ['fulltext "record 7" from many', 1],
  ['fulltext "record" from many | search k == 7', 1000, 100],
  ['set _live = true | table many | search k < 5 | search n < 100 | stats count by k', 0, 1000, 500, 50, 5],
  ['table none? | stats count', 0, 1],
  ['table many | search k == 1 | streamstats window=3 sum(n) as s by k | search s > 500', 1000, 100, 100, 84],
  ['table many | streamstats count as c | prev c | search c > prev_c | stats count', 1000, 1000, 1000, 999, 1],
  ['table many | search k < 2 | rollup count by k', 1000, 200, 3],
  ['table many | search k < 2 | cube count by k, text | search isnull(text) | stats count', 1000, 200, 403, 3, 1],
  ['table many | drop | cube count by k', 1000, 0, 1],
  [
    'table many | search k == 1 | stats count by n | memlookup op=build name=c key=n count | lookup c n output count as d | limit 5',
    1000,
    100,
    100,
    100,
    5,
    5,
  ],
  ['# a comment | table many | # another | search k == 1', 1000, 100],
];

/** A satisfied limit: what went before it is at least what it took and at most all. */
const LIMITED: readonly [q: string, rows: number][] = [
  ['table many | limit 0', 0],
  ['table many | limit 5', 5],
  ['table many | limit 990 100', 10],
  ['table many | search k == 1 | limit 5', 5],
  ['table many | search limit=5 k == 1', 5],
  ['table many | search k == 1 | limit 5 | stats count', 1],
  ['table many | sort n | limit 5', 5],
  ['table many | streamstats count | limit 5', 5],
  ['table many | search k == 1 | prev n | limit 5', 5],
  ['table many | rollup count by k | limit 5', 5],
];

const STATES = ['all of them fresh', 'all of them in segments', 'in both'] as const;

describe.each(STATES)('Counts over records, %s', (state) => {
  const subject = serviceFor();
  beforeAll(async () => {
    const logger = await fillMany(subject, { count: state === 'in both' ? 600 : 1000 });
    if (state !== 'all of them fresh') await seal(subject, 'many');
    if (state !== 'in both') return;
    const lines = Array.from({ length: 400 }, (_, at) => ({ n: 600 + at, k: at % 10, text: `record ${600 + at}` }));
    await push(subject, logger, { body: lines.map((line) => JSON.stringify(line)).join('\n') });
  });

  it.each(PIPELINES.map(([q, ...counts]) => ({ q, counts })))('are exact: $q', async ({ q, counts }) => {
    const last = await ran(subject, q);
    expectRecord(last);
    expect(last.error_detail).toBeUndefined();
    const got = last.commands.map(({ push_count }: Status) => push_count);
    expect(got).toEqual(counts);
    expect(last.rows).toBe(got.at(-1));
  });

  it.each(LIMITED)('before a satisfied limit are what was handed on: %s', async (q, rows) => {
    const last = await ran(subject, q);
    expectRecord(last);
    expect(last).toMatchObject({ is_finished: true, is_cancelled: false, rows });
    const [driver = 0, ...others] = last.commands.map(({ push_count }: Status) => push_count);
    expect(driver).toBeGreaterThanOrEqual(Math.max(rows, ...others));
    expect(driver).toBeLessThanOrEqual(1000);
  });

  it('are those of the whole query, whichever page of it GET /query was asked for', async () => {
    const q = 'table many | search k < 5 | search n < 100';
    for (const page of [{}, { limit: '3' }, { offset: '10', limit: '1' }, { offset: '5000' }, { limit: '0' }]) {
      const answer = await ask(subject, { q, ...page });
      const last = await finished(subject, Number(answer.headers.get('x-query-id')));
      expectRecord(last);
      expect([page, last.rows, last.commands.map(({ push_count }: Status) => push_count)]).toEqual([
        page,
        50,
        [1000, 500, 50],
      ]);
    }
  });
});
