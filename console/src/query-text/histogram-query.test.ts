// The histogram above a result: its query, and its bars.

import { describe, expect, it } from 'vitest';
import { KINDS } from '#test/support/console-language.ts';
import { filledBuckets, histogramText, spanOf } from './histogram-query.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const day = { text: '1d', milliseconds: DAY };
const minute = { text: '1m', milliseconds: MINUTE };

describe('The query of the histogram', () => {
  it.each([
    ['table web | search a | stats count', 'table web | search a | timechart span=30m count'],
    ['set x = 1 | table duration=1h web', 'set x = 1 | table duration=1h web | timechart span=30m count'],
    ['fulltext "a | b" from web | sort x', 'fulltext "a | b" from web | timechart span=30m count'],
    ['fulltext "a window=1" from web', 'fulltext "a window=1" from web | timechart span=30m count'],
    ['json "{}"', undefined],
    ['table a | import b | table c', undefined],
    // Records that are still arriving have no histogram.
    ['table window=1h web', undefined],
  ])('counts the records of %s', (text, histogram) => {
    expect(histogramText(text, KINDS, spanOf({ from: 0, to: DAY }))).toBe(histogram);
  });
});

describe('The span of a bar', () => {
  it.each([
    [1000, '1s'],
    [120_000, '1s'],
    [120_001, '5s'],
    [3_600_000, '30s'],
    [DAY, '30m'],
    [7 * DAY, '3h'],
    [120 * DAY, '1d'],
    [3600 * DAY, '30d'],
    [100_000 * DAY, '30d'],
  ])('of %d milliseconds is %s', (length, text) => {
    expect(spanOf({ from: 0, to: length }).text).toBe(text);
  });
});

describe('The bars', () => {
  const counts = (bars: ReturnType<typeof filledBuckets>) => bars.map(({ count }) => count);

  it('are there for every bucket of the range, also for those without records', () => {
    const range = { from: 0, to: 4 * MINUTE };
    expect(counts(filledBuckets([{ at: 2 * MINUTE, count: 3 }], minute, range))).toEqual([0, 0, 3, 0]);
    expect(counts(filledBuckets([], minute, range))).toEqual([0, 0, 0, 0]);
  });

  it('begin with the bucket in which the range begins, and end before its end', () => {
    const bars = filledBuckets([], minute, { from: 90_000, to: 180_001 });
    expect(bars.map(({ at }) => at)).toEqual([60_000, 120_000, 180_000]);
  });

  it('reach from the first to the last count where there is no range', () => {
    const given = [2, 4].map((minutes) => ({ at: minutes * MINUTE, count: 1 }));
    expect(filledBuckets(given, minute, undefined).map(({ at }) => at)).toEqual([120_000, 180_000, 240_000]);
    expect(filledBuckets([], minute, undefined)).toEqual([]);
  });

  it('of days hold their counts over a clock change', () => {
    // In Berlin the 25th of October has 25 hours.
    const days = ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-26T23:00:00Z'];
    const given = days.map((at, index) => ({ at: Date.parse(at), count: index + 1 }));
    expect(counts(filledBuckets(given, day, undefined))).toEqual([1, 2, 3]);
  });

  it('are bounded in number, however long the range is', () => {
    expect(filledBuckets([], { text: '1s', milliseconds: 1000 }, { from: 0, to: 365 * DAY })).toHaveLength(1000);
  });
});
