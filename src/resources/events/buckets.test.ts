import { expect, it } from 'vitest';
import { bucketOf, bucketsOf, intervalFor, slotOf } from './buckets.ts';

const at = (text: string) => Temporal.Instant.from(text);

it.each([
  // The last moment lies in a bucket of its own.
  ['UTC', 3600, '2024-03-01T00:10:00Z', '2024-03-01T03:00:00Z', ['00:00', '01:00', '02:00', '03:00']],
  ['Asia/Seoul', 21_600, '2024-03-01T00:00:00Z', '2024-03-01T09:00:00Z', ['06:00', '12:00', '18:00']],
  ['Asia/Kolkata', 3600, '2024-03-01T00:00:00Z', '2024-03-01T00:30:00Z', ['05:00', '06:00']],
])('Buckets are cut in the zone %s, every %d seconds', (zone, interval, from, to, starts) => {
  const buckets = bucketsOf({ from: at(from), to: at(to), interval }, zone) ?? [];
  const local = (time: number) => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainTime();
  expect(buckets.map((time) => local(time).toString({ smallestUnit: 'minute' }))).toEqual(starts);
  for (const time of buckets) expect(Math.abs(time % slotOf(buckets))).toBe(0);
});

it('Days and weeks follow the calendar: a day of 23 hours is one bucket, and weeks begin on Monday', () => {
  const range = { from: at('2024-03-09T12:00:00Z'), to: at('2024-03-12T12:00:00Z') };
  const days = bucketsOf({ ...range, interval: 86_400 }, 'America/New_York') ?? [];
  expect(days.map((time, index) => (time - (days[index - 1] ?? time)) / 3_600_000)).toEqual([0, 24, 23, 24]);
  const weeks = bucketsOf({ ...range, interval: 604_800 }, 'UTC') ?? [];
  expect(weeks.map((time) => new Date(time).getUTCDay())).toEqual([1, 1]);
  expect([range.from, range.to].map(({ epochMilliseconds }) => bucketOf(weeks, epochMilliseconds))).toEqual([0, 1]);
});

it.each([
  ['PT0S', 60],
  ['PT4H', 60],
  ['PT24H', 300],
  ['P3D', 900],
  ['P12D', 3600],
  ['P70D', 21_600],
  ['P299D', 86_400],
  ['P301D', 604_800],
  ['P36500D', 604_800],
])('An interval for %s makes few buckets: %d', (length, interval) => {
  const from = at('2024-03-01T00:00:00Z');
  const days = Temporal.Duration.from(length).total({ unit: 'hours', relativeTo: '2024-03-01' });
  expect(intervalFor(from, from.add({ hours: days }), 'UTC')).toBe(interval);
});

it('More than 2,000 buckets are refused', () => {
  const from = at('2024-03-01T00:00:00Z');
  expect(bucketsOf({ from, to: from.add({ seconds: 1999 }), interval: 1 }, 'UTC')).toHaveLength(2000);
  expect(bucketsOf({ from, to: from.add({ seconds: 2000 }), interval: 1 }, 'UTC')).toBeUndefined();
  expect(bucketsOf({ from, to: from.add({ hours: 24 * 365 * 100 }), interval: 1 }, 'UTC')).toBeUndefined();
});
