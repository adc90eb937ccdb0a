// Queries that were internal errors, refused without a reason, or could not show what they have.

import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { ask, linesOf, ran, rowsFrom } from '#test/support/queries.ts';
import { refused, serviceFor } from '#test/support/suites.ts';

const RECORDS = [
  { n: 1, k: 'a', _time: '2026-11-15 10:00:00.060+0900' },
  { n: 2, k: 'b', _time: '2026-11-15 10:00:01+0900' },
  { n: 3, k: 'a', _time: '2026-11-15 10:00:02.999+0900' },
];

describe('A query', () => {
  const subject = serviceFor({});

  beforeAll(async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await push(subject, logger, { body: RECORDS.map((record) => JSON.stringify(record)).join('\n') });
  });

  it.each([
    ['table order=asc web | stats max(seq()) as last, sum(seq()) as s', [{ last: 3, s: 6 }]],
    [
      'table order=asc web | stats sum(seq() * n) as s by k',
      [
        { k: 'a', s: 10 },
        { k: 'b', s: 4 },
      ],
    ],
    [
      'table order=asc web | eventstats max(seq()) as m by k | fields n, m',
      [
        { n: 1, m: 3 },
        { n: 2, m: 2 },
        { n: 3, m: 3 },
      ],
    ],
    [
      'table order=asc web | streamstats sum(seq()) as s | fields n, s',
      [
        { n: 1, s: 1 },
        { n: 2, s: 3 },
        { n: 3, s: 6 },
      ],
    ],
    ['table order=asc web | pivot sum(seq()) for k', [{ a: 4, b: 2 }]],
    ['table order=asc web | timechart span=1y sum(seq()) as s | fields s', [{ s: 6 }]],
    ['table order=asc web | timechart span=1y sum(seq()) as s by k | fields a, b', [{ a: 4, b: 2 }]],
    ['table order=asc web | evalc t = $("t", 0) + n | pivot count for k', [{ a: 2, b: 1 }]],
    ['table order=asc web | evalc t = $("t", 0) + n | eval m = $("t") | pivot sum(m) for k', [{ a: 7, b: 3 }]],
    [
      'table order=asc web | evalc t = n | pivot count rows n for k',
      [
        { n: 1, a: 1 },
        { n: 2, b: 1 },
        { n: 3, a: 1 },
      ],
    ],
    ['table order=asc web | evalc t = $("t", 0) + n | pivot sum($("t")) as s for k', [{ a: 7, b: 3 }]],
    ['set t = 5 | table order=asc web | evalc t = $("t") + n | pivot sum($("t")) as s for k', [{ a: 17, b: 8 }]],
    [
      'table order=asc web | evalc t = n | pivot count, max($("t")) as m for k',
      [{ 'count:a': 2, 'm:a': 3, 'count:b': 1, 'm:b': 2 }],
    ],
    ['table order=asc web | evalc t = n | stats sum($("t")) as s', [{ s: 6 }]],
    ['table order=asc web | evalc t = n | timechart span=1y sum($("t")) as s by k | fields a, b', [{ a: 4, b: 2 }]],
    ['json "[{n:1,k:1},{n:2,k:2}]" | evalc t = n | pivot sum(n) for k', [{ 1: 1, 2: 2 }]],
    ['json "[{n:1,k:1},{n:2,k:2}]" | evalc t = n | search n > 1 | pivot sum(n) for k', [{ 2: 2 }]],
    ['json "[{n:1,k:1},{n:2,k:2}]" | evalc t = n | limit 1 | pivot sum(n) for k', [{ 1: 1 }]],
    ['table order=asc web | evalc t = n | sort -n | pivot first(n) as f for k', [{ a: 3, b: 2 }]],
    ['table order=asc web | evalc t = n | sort -n | evalc u = n | pivot first(n) as f for k', [{ a: 3, b: 2 }]],
    ['table order=asc web | stats count by n, k | evalc t = n | pivot sum(count) for k', [{ a: 2, b: 1 }]],
    ['table order=asc web | pivot count rows n for k | evalc t = n | pivot sum(a) for n', [{ 1: 1, 2: 0, 3: 1 }]],
    ['table order=asc web | top 1 k | evalc t = 1 | timechart span=1d count by k', []],
    ['table order=asc web | stats count by k | evalc t = 1 | search count > 1', [{ k: 'a', count: 2 }]],
    ['table order=asc web | stats count by k | evalc t = 1 | search count > 1 | stats count', [{ count: 1 }]],
    ['json "{}" | eval x = daterange(date("x", "yyyy"), now()), y = daterange(now(), null)', [{}]],
    ['json "{}" | eval d = date("x", "yyyy") | eval x = len(daterange(d, now()))', [{ x: 0 }]],
  ])('answers %s', async (q, rows) => {
    const status = await ran(subject, q);
    expect(status.error_detail).toBeUndefined();
    expect(linesOf(await rowsFrom(subject, status.id))).toEqual(rows);
  });

  it('shows milliseconds where they are asked for, in every format', async () => {
    const q = 'table order=asc web | eval l = array(_time) | fields _time, l';
    const { id } = await ran(subject, q);
    for (const format of ['html', 'txt', 'xml', 'csv', 'json', 'json-single']) {
      const shown = await rowsFrom(subject, id, `format=${format}&times=millis`);
      expect(shown.text.match(/01:00:00\.060\+0000/g)).toHaveLength(2);
      expect(shown.text).toContain('2026-11-15 01:00:01.000+0000');
      expect(shown.text).toContain('2026-11-15 01:00:02.999+0000');
      expect((await ask(subject, { q, format, times: 'millis' })).text).toBe(shown.text);
      const seconds = await rowsFrom(subject, id, `format=${format}`);
      expect(seconds.text).toContain('2026-11-15 01:00:00+0000');
      expect((await rowsFrom(subject, id, `format=${format}&times=seconds`)).text).toBe(seconds.text);
    }
    const wrong = await ask(subject, { q, times: 'Millis' });
    expect([wrong.status, wrong.json]).toEqual(
      refused(400, 'invalid-argument', "times value must be one of 'seconds', 'millis'."),
    );
  });
});
