// The days of a table are those of the service's time zone, by `_time`: where a day begins with another offset than it
// ends, or not at midnight, too.

import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { seal } from '#test/support/segments.ts';
import { serviceFor } from '#test/support/suites.ts';

const TABLES = '/api/core/tables';

/** The last moment of a day, the first of the next, the last of that, and the first of the one after. */
interface Edges {
  readonly zone: string;
  readonly moments: readonly [string, string, string, string];
  readonly days: readonly [string, string, string];
}

const EDGES: readonly Edges[] = [
  {
    zone: 'Asia/Seoul',
    moments: ['2024-02-28T14:59:59.999Z', '2024-02-28T15:00:00Z', '2024-02-29T14:59:59.999Z', '2024-02-29T15:00:00Z'],
    days: ['2024-02-28 00:00:00+0900', '2024-02-29 00:00:00+0900', '2024-03-01 00:00:00+0900'],
  },
  {
    // The day has 23 hours.
    zone: 'America/New_York',
    moments: ['2024-03-10T04:59:59.999Z', '2024-03-10T05:00:00Z', '2024-03-11T03:59:59.999Z', '2024-03-11T04:00:00Z'],
    days: ['2024-03-09 00:00:00-0500', '2024-03-10 00:00:00-0500', '2024-03-11 00:00:00-0400'],
  },
  {
    // The day begins at one o'clock.
    zone: 'America/Sao_Paulo',
    moments: ['2018-11-04T02:59:59.999Z', '2018-11-04T03:00:00Z', '2018-11-05T01:59:59.999Z', '2018-11-05T02:00:00Z'],
    days: ['2018-11-03 00:00:00-0300', '2018-11-04 01:00:00-0200', '2018-11-05 00:00:00-0200'],
  },
];

describe.each(EDGES)('In $zone', ({ zone, moments, days }) => {
  const subject = serviceFor({ flags: { 'time-zone': zone } });
  const { call } = subject;
  const [before, first, last, after] = moments;
  const span = async () => {
    const { json } = await call('GET', `${TABLES}?table_name=web`);
    return json.tables.map((table: Record<string, unknown>) => [table.min_day, table.max_day])[0];
  };
  const expectSpan = async (first: string | undefined, last: string | undefined) => {
    // A node reads the figures again at once after a change of its own, within a second after those of others.
    if (subject.service.nodeUrls.length === 1) expect(await span()).toEqual([first, last]);
    else await expect.poll(span).toEqual([first, last]);
  };
  const send = async (logger: string, ...times: string[]) => {
    const lines = times.map((time) => JSON.stringify({ time, _time: Temporal.Instant.from(time).epochMilliseconds }));
    await push(subject, logger, { body: lines.join('\n') });
  };
  const listed = async (query = '') => (await call('GET', `${TABLES}/web/days${query}`)).json.days;
  /** The figures of days add up to those of their table. */
  const expectDays = async (...expected: (readonly [string, number])[]) => {
    const figures = async () => {
      const all: { day: string; rows: number; table_size: number; index_size: number }[] = await listed();
      const { table } = (await call('GET', `${TABLES}/web`)).json;
      const sum = (name: 'table_size' | 'index_size') => all.reduce((total, one) => total + one[name], 0);
      return {
        days: all.map(({ day, rows }) => [day, rows]),
        unequal: [sum('table_size') - (all.length > 0 ? table.table_size : 0), sum('index_size') - table.index_size],
        empty: all.filter(({ table_size }) => table_size <= 0),
      };
    };
    // Two answers: maintenance may write a file between them.
    await expect.poll(figures).toEqual({ days: expected, unequal: [0, 0], empty: [] });
  };
  const [one, two, three] = days.map((day) => day.slice(0, 10)) as [string, string, string];
  const kept = async () => (await rowsOf(subject, 'table order=asc web')).map(({ time }) => time);

  it('the first and last day of a table grow with its records, in the journal', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await expectSpan(undefined, undefined);
    await expectDays();
    await send(logger, last);
    await expectSpan(days[1], days[1]);
    await send(logger, first);
    await expectSpan(days[1], days[1]);
    await send(logger, after);
    await expectSpan(days[1], days[2]);
    await send(logger, before);
    await expectSpan(days[0], days[2]);
    await expectDays([three, 1], [two, 2], [one, 1]);
  });

  it('they are the same after a restart, and when the records are sealed', async () => {
    await subject.service.restart();
    await expectSpan(days[0], days[2]);
    await expectDays([three, 1], [two, 2], [one, 1]);
    await seal(subject, 'web');
    await expectSpan(days[0], days[2]);
    await expectDays([three, 1], [two, 2], [one, 1]);
    for (const [query, found] of [
      [`?from=${two}`, [three, two]],
      [`?to=${two}`, [two, one]],
      [`?from=${two}&to=${two}`, [two]],
      [`?from=${three}&to=${one}`, []],
    ] as const) {
      expect((await listed(query)).map(({ day }: { day: string }) => day)).toEqual(found);
    }
    expect(await kept()).toEqual([...moments]);
  });

  it('a day is removed from its first moment to its last, sealed records and fresh ones alike', async () => {
    const { loggers } = (await call('GET', '/api/core/loggers')).json;
    await send(loggers[0].guid, ...moments);
    await expectDays([three, 2], [two, 4], [one, 2]);
    const day = days[1].slice(0, 10);
    await call('DELETE', `${TABLES}/web/partitions`, { form: { start: day, end: day } });
    expect(await kept()).toEqual([before, before, after, after]);
    await expectDays([three, 2], [one, 2]);
    await expectSpan(days[0], days[2]);
    await call('DELETE', `${TABLES}/web/partitions`, { form: { start: '0001-01-01', end: day } });
    expect(await kept()).toEqual([after, after]);
    await expectSpan(days[2], days[2]);
    await subject.service.restart();
    expect(await kept()).toEqual([after, after]);
    await expectSpan(days[2], days[2]);
    await call('DELETE', `${TABLES}/web/partitions`, { form: { start: days[2].slice(0, 10), end: '9999-12-31' } });
    await expectSpan(undefined, undefined);
  });
});
