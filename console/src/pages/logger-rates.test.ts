// Rates of a logger for a small chart.

import { describe, expect, it } from 'vitest';
import { lastMinute, perBucket } from './logger-rates.ts';

const minutes = (...counts: number[]) => counts.map((log_count) => ({ log_count }));

describe('Rates of a logger', () => {
  it.each([
    [minutes(1, 2, 3, 4), 2, 4, [3, 7]],
    [minutes(1, 2, 3, 4), 3, 4, [3, 3, 4]],
    // Minutes before counting began are 0.
    [minutes(5), 4, 4, [0, 0, 0, 5]],
    [[], 2, 4, [0, 0]],
  ])('of %j in %d bars of %d minutes are %j', (given, buckets, all, sums) => {
    expect(perBucket(given, buckets, all)).toEqual(sums);
  });

  it('of a day lose nothing', () => {
    const day = Array.from({ length: 1440 }, (_, n) => ({ log_count: n }));
    const sums = perBucket(day, 48);
    expect(sums).toHaveLength(48);
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe((1440 * 1439) / 2);
  });

  it.each([
    [minutes(10, 50, 999), 50],
    // An import that has ended is not the rate of now.
    [minutes(98_617, 98_617, 0, 7), 0],
    // The minute that is not over does not count.
    [minutes(999), 0],
    [[], 0],
  ])('of the last minute, of %j, are %d', (given, count) => {
    expect(lastMinute(given)).toBe(count);
  });
});
