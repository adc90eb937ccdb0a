// Times of the console: stamps of the service, wall clocks of a zone, ranges of an address.

import { describe, expect, it } from 'vitest';
import { axisTimes } from '#console/components/axis-times.ts';
import { dayBuckets } from '#console/components/day-buckets.ts';
import { sortRows } from '#console/components/row-order.ts';
import { momentOf, parseStamp, textOf, toStamp } from '#console/time/moments.ts';
import { byteText } from '#console/time/numbers.ts';
import { absoluteRange, lengthOf, rangeOf, rangeOfWallClocks, resolveRange } from '#console/time/ranges.ts';

const at = (iso: string) => Date.parse(iso);
const DAY = { from: 'now-24h', to: 'now' };

describe('A stamp of the service', () => {
  it.each([
    ['2026-11-15 10:00:00+0900', '2026-11-15T01:00:00Z'],
    ['2026-11-15 10:00:00.060-0330', '2026-11-15T13:30:00.060Z'],
    ['2026-11-15 10:00:00.5+0000', '2026-11-15T10:00:00.500Z'],
  ])('is read: %s', (stamp, iso) => expect(parseStamp(stamp)).toBe(at(iso)));

  it.each(['', '2026-11-15', '2026-11-15T10:00:00Z', 'yesterday'])('is no other text: %j', (text) =>
    expect(parseStamp(text)).toBeUndefined(),
  );

  it('is written in UTC for operations', () =>
    expect(toStamp(at('2026-11-15T01:00:00.900Z'))).toBe('2026-11-15 01:00:00+0000'));
});

describe('A wall clock', () => {
  it.each([
    ['2026-11-15T10:00', 'Asia/Seoul', '2026-11-15T01:00:00Z'],
    ['2026-07-01T12:00:30', 'Europe/Berlin', '2026-07-01T10:00:30Z'],
    // Occurs twice: the earlier one is taken.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    // Does not occur: it is as long after midnight as it says.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
  ])('%s in %s is %s', (text, zone, iso) => expect(momentOf(text, zone)).toBe(at(iso)));

  it('is shown in the zone of the reader', () => {
    expect(textOf(at('2026-11-15T01:00:00.007Z'), 'Asia/Seoul', 'millisecond')).toBe('2026-11-15 10:00:00.007');
    expect(textOf(at('2026-11-15T23:00:00Z'), 'Asia/Seoul', 'day')).toBe('2026-11-16');
  });
});

describe('A time range', () => {
  const now = at('2026-11-15T12:00:00Z');

  it('moves with the clock where it is relative', () => {
    expect(resolveRange({ from: 'now-15m', to: 'now' }, now)).toEqual({ from: now - 900_000, to: now });
    expect(lengthOf(DAY)).toBe('24h');
    expect(lengthOf({ from: 'now-1h', to: '2026-11-15T12:00:00Z' })).toBeUndefined();
  });

  it.each([
    ['now-1h', undefined],
    [undefined, 'now'],
    ['now-1y', 'now'],
    ['<script>', 'now'],
    ['now-999999d', 'now'],
  ])('of an address that has none, %j to %j, is the initial one', (from, to) =>
    expect(rangeOf(from, to, DAY)).toBe(DAY),
  );

  it('means the same in every zone where it is absolute', () => {
    const range = rangeOfWallClocks('2026-11-15T10:00', '2026-11-15T11:00', 'Asia/Seoul');
    expect(range).toEqual({ from: '2026-11-15T01:00:00Z', to: '2026-11-15T02:00:00Z' });
    expect(rangeOfWallClocks('2026-11-15T10:00', '2026-11-15T10:00', 'UTC')).toBeUndefined();
    expect(absoluteRange(resolveRange(range ?? DAY, now))).toEqual(range);
  });
});

describe('An axis', () => {
  it('has round times of the reader, at most seven', () => {
    const day = axisTimes({ from: at('2026-11-15T03:20:00Z'), to: at('2026-11-16T03:20:00Z') }, 'Asia/Seoul');
    expect(day.map(({ text }) => text)).toEqual(['18:00', '11-16', '06:00', '12:00']);
    const minutes = axisTimes({ from: 600_000, to: 660_000 }, 'UTC');
    expect(minutes.length).toBeLessThanOrEqual(7);
    expect(minutes[0]?.text).toBe('00:10:00');
  });
});

describe('Rows', () => {
  const columns = [{ id: 'n', sortValue: ({ n }: { n?: number | string }) => n }];
  const rows = [{ n: 10 }, {}, { n: 9 }];

  it('are sorted by value, those without one last', () => {
    expect(sortRows(rows, columns, { column: 'n', direction: 'ascending' })).toEqual([{ n: 9 }, { n: 10 }, {}]);
    expect(sortRows(rows, columns, { column: 'n', direction: 'descending' })).toEqual([{ n: 10 }, { n: 9 }, {}]);
    expect(sortRows(rows, columns, undefined)).toBe(rows);
  });
});

describe('A size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1400, '1.4 kB'],
    [123_456_789, '123 MB'],
    [1.5e12, '1.5 TB'],
  ])('of %d bytes is %s', (bytes, text) => expect(byteText(bytes)).toBe(text));
});

describe('Days of a table', () => {
  const figures = (day: string, rows: number) => ({ day, rows, bytes: rows * 10 });

  it('stand in a row, with the days that have no records', () =>
    expect(dayBuckets([figures('2026-03-01', 5), figures('2026-02-27', 2)])).toEqual([
      { first: '2026-02-27', last: '2026-02-27', rows: 2, bytes: 20 },
      { first: '2026-02-28', last: '2026-02-28', rows: 0, bytes: 0 },
      { first: '2026-03-01', last: '2026-03-01', rows: 5, bytes: 50 },
    ]));

  it('are few bars however long the time is, and none is lost', () => {
    const days = [figures('0001-01-01', 1), figures('2026-03-01', 5), figures('1970-01-01', 7)];
    const buckets = dayBuckets(days);
    expect(buckets.length).toBeLessThanOrEqual(366);
    expect(buckets.reduce((sum, { rows }) => sum + rows, 0)).toBe(13);
    expect([buckets[0]?.first, buckets.at(-1)?.last]).toEqual(['0001-01-01', '2026-03-01']);
    expect(dayBuckets([])).toEqual([]);
  });
});
