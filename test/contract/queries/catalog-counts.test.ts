// Counts of records, in all and by time, come from the catalog and from memory. They are those of the slow way, which reads
// every record: `eval` between a table and its count makes the difference.

import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ask, finished, linesOf } from '#test/support/queries.ts';
import { seal, segmentsOf } from '#test/support/segments.ts';
import { expectRecord } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';

const HOUR = 3_600_000;
/** The clock of New York is put back on this day, that of Santiago was put forward at a midnight. */
const DAY = Temporal.Instant.from('2026-11-01T00:00:00Z').epochMilliseconds;
const SPRING = Temporal.Instant.from('2026-09-06T04:00:00Z').epochMilliseconds;

const TIMECHARTS = ['1d', '1h', '1mon'].map((span) => `timechart span=${span} count`);
const COUNTS = [...TIMECHARTS, 'stats count as a, count as b', 'timechart offset=6h count'];
const ZONES = ['UTC', 'America/New_York', 'America/Santiago'];
const RANGES = ['', 'from="2026-10-31 12:30:00" to="2026-11-01 18:00:00" ', 'from="2026-09-06 00:00:00" '];

describe('Counts from the catalog', () => {
  const subject = serviceFor({ alone: 'embedded' });
  const answered = async (q: string, page: Readonly<Record<string, string>> = {}) => {
    const reply = await ask(subject, { q, ...page });
    const status = await finished(subject, Number(reply.headers.get('x-query-id')));
    expectRecord(status);
    const [driver, , ...others] = status.commands.map(({ push_count }: { push_count: number }) => push_count);
    return { rows: linesOf(reply), driver, last: others.at(-1), total: status.rows };
  };
  /** Every segment has records of several days, and some come late. */
  const lines = (count: number, seed: number) =>
    Array.from({ length: count }, (_, at) => {
      const _time = at % 7 === 0 ? SPRING + ((at * seed) % 97) * (HOUR / 2) : DAY + (((at * seed) % 120) - 60) * HOUR;
      return JSON.stringify({ _time: _time + ((at * 7919) % HOUR), ...(at % 3 === 0 ? {} : { a: at, b: '값' }) });
    }).join('\n');

  beforeAll(async () => {
    const logger = await createLogger(subject, { table: 'counted' });
    for (const seed of [11, 13]) {
      await push(subject, logger, { body: lines(300, seed) });
      await seal(subject, 'counted');
    }
    await push(subject, logger, { body: lines(90, 17) });
    const sealed = await createLogger(subject, { table: 'sealed' });
    await push(subject, sealed, { body: lines(50, 19) });
    await seal(subject, 'sealed');
  });

  it.each(ZONES)('are those of reading every record, in %s', async (zone) => {
    for (const count of COUNTS) {
      for (const range of RANGES) {
        const q = (between: string) => `set _timezone = "${zone}" | table ${range}counted | ${between}${count}`;
        const fast = await answered(q(''));
        const slow = await answered(q('eval x = 1 | '));
        expect([q(''), fast.rows, fast.total]).toEqual([q(''), slow.rows, slow.total]);
        expect(fast.last ?? fast.total).toEqual(slow.last);
      }
    }
  });

  it('are told by groups of a range that cuts segments, each command with its own', async () => {
    const [, range] = RANGES;
    const driver = (await answered(`table ${range}counted | eval x = 1 | stats count`)).driver;
    expect(driver).toBeGreaterThan(0);
    const groups = [
      'stats count by b',
      'timechart span=1h count by b',
      'timechart span=1h cont=t count by b',
      'top 2 a',
    ];
    const more = ['', ' | sort limit=3 b', ' | stats count'];
    for (const group of groups) {
      for (const rest of more) {
        const q = (between: string) => `table ${range}counted | ${between}${group}${rest}`;
        const fast = await answered(q(''));
        const slow = await answered(q('eval x = 1 | '));
        expect([q(''), fast.rows, fast.total, fast.driver]).toEqual([q(''), slow.rows, slow.total, driver]);
      }
    }
    for (const pages of [{ offset: '1', limit: '1' }, { limit: '0' }]) {
      const fast = await answered(`table ${range}counted | stats count by b`, pages);
      const slow = await answered(`table ${range}counted | eval x = 1 | stats count by b`, pages);
      expect([fast.rows, fast.total, fast.driver]).toEqual([slow.rows, slow.total, driver]);
    }
  });

  it('are not needed where the text says the rows, which are those that a statement makes', async () => {
    const texts = [
      '{}',
      '[]',
      '[{},{a:1}]',
      '[{n:9223372036854775807,d:0.1},{n:-9223372036854775808,d:7},{n:null,d:1e16}]',
      '[{n:1},{n:2.5},{n:1e300},{n:-0.0},{n:1.5e-7},{n:12345678901234567890},{n:100000000000000000000.0}]',
      "[{v:1},{v:'가 나'},{v:true},{v:null},{v:[1,'x',2.0,null]},{v:{b:1,a:{c:[]}}},{w:'\\u0001\\n'}]",
      "[{_time:'2026-03-10 00:00:00+0000',b:false,s:'',l:[],m:{}}]",
    ];
    for (const text of texts) {
      for (const format of ['json', 'csv']) {
        for (const page of [{}, { offset: '1', limit: '1' }, { limit: '0' }]) {
          const q = (rest: string) => ({ q: `json ${JSON.stringify(text)}${rest}`, format, ...page });
          const fast = await ask(subject, q(''));
          const slow = await ask(subject, q(' | limit 5000'));
          expect([text, format, fast.text]).toEqual([text, format, slow.text]);
        }
      }
    }
    expect(await answered('json "[{n:1},{n:2}]" | limit 0 5000')).toMatchObject({ driver: 2, total: 2 });
  });

  it('count every command, and pages of their rows', async () => {
    const status = await answered('table counted, sealed | stats count');
    expect(status).toMatchObject({ rows: [{ count: 740 }], driver: 740, total: 1 });
    const q = 'table counted | timechart span=1d count';
    const all = (await answered(q)).rows;
    for (const [offset, limit] of [
      [0, 2],
      [1, 3],
      [4, 1000],
      [1000, 1],
      [0, 0],
    ] as const) {
      const { rows, total } = await answered(q, { offset: `${offset}`, limit: `${limit}` });
      expect([rows, total]).toEqual([all.slice(offset, offset + limit), all.length]);
    }
  });

  it('see a push that was answered, at once', async () => {
    const logger = await createLogger(subject, { table: 'growing' });
    for (let pushed = 1; pushed <= 20; pushed += 1) {
      await push(subject, logger, { body: JSON.stringify({ _time: DAY + pushed * HOUR, n: pushed * 100 }) });
      expect(await rowsOf(subject, 'table growing | stats count')).toEqual([{ count: pushed }]);
      // DuckDB plans by the statistics of tables in memory: such a plan must not be used again.
      const beyond = await rowsOf(subject, 'table growing | search n > 500 | stats count, max(n) as top');
      expect(beyond).toMatchObject([{ count: Math.max(0, pushed - 5) }]);
      if (pushed % 8 === 0) await seal(subject, 'growing');
    }
  });

  it('read no file that lies in one group', async () => {
    for (const file of segmentsOf(subject.service, 'sealed')) rmSync(file);
    expect((await answered('table sealed | stats count')).rows).toEqual([{ count: 50 }]);
    expect((await ask(subject, { q: 'table sealed | eval x = 1 | stats count' })).status).toBe(500);
  });
});
