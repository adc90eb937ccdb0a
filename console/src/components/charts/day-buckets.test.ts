// Days of a table in a row, gaps included.

import { describe, expect, it } from 'vitest';
import { dayAfter, dayBuckets } from './day-buckets.ts';

const figures = (day: string, rows: number) => ({ day, rows, bytes: rows * 10 });

describe('Days of a table', () => {
  it('stand in a row, with the days that have no records', () =>
    expect(dayBuckets([figures('2026-03-01', 5), figures('2026-02-27', 2)])).toEqual([
      { first: '2026-02-27', last: '2026-02-27', rows: 2, bytes: 20 },
      { first: '2026-02-28', last: '2026-02-28', rows: 0, bytes: 0 },
      { first: '2026-03-01', last: '2026-03-01', rows: 5, bytes: 50 },
    ]));

  it('are few bars however long the time is, and none is lost', () => {
    const buckets = dayBuckets([figures('0001-01-01', 1), figures('2026-03-01', 5), figures('1970-01-01', 7)]);
    expect(buckets.length).toBeLessThanOrEqual(366);
    expect(buckets.reduce((sum, { rows }) => sum + rows, 0)).toBe(13);
    expect([buckets[0]?.first, buckets.at(-1)?.last]).toEqual(['0001-01-01', '2026-03-01']);
  });

  it('of one day twice are one bar', () =>
    expect(dayBuckets([figures('2026-03-01', 5), figures('2026-03-01', 2)])).toMatchObject([{ rows: 7, bytes: 70 }]));

  it('are none of an empty table', () => expect(dayBuckets([])).toEqual([]));

  it.each([
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    // A day on which a clock changes is a day like any other.
    ['2026-10-25', 1, '2026-10-26'],
  ])('are counted on: %s and %d days is %s', (day, count, expected) => expect(dayAfter(day, count)).toBe(expected));
});
