// Buckets of a histogram of events: equal lengths of time, cut in the zone of the service.

import { bucketStarts } from '#query/values/dates/bucket-starts.ts';
import { bucketStart } from '#query/values/dates/dates.ts';

const MAX_BUCKETS = 2000;
/** Where the request names no interval. */
const MAX_CHOSEN_BUCKETS = 300;
const INTERVALS = [60, 300, 900, 3600, 21_600, 86_400, 604_800] as const;
const DAY = 86_400;
const WEEK = 7 * DAY;

interface BucketRange {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  /** Seconds. */
  readonly interval: number;
}

/** The least usual interval that makes few buckets; the greatest where none does. */
export function intervalFor(from: Temporal.Instant, to: Temporal.Instant, zone: string): number {
  const fits = (interval: number) =>
    (bucketsOf({ from, to, interval }, zone)?.length ?? Number.POSITIVE_INFINITY) <= MAX_CHOSEN_BUCKETS;
  return INTERVALS.find(fits) ?? WEEK;
}

/** Starts of all buckets, in epoch milliseconds; undefined where there are too many. */
export function bucketsOf({ from, to, interval }: BucketRange, zone: string): readonly number[] | undefined {
  // Counting is enough to refuse years in seconds.
  if (to.since(from).total('seconds') / interval > MAX_BUCKETS) return undefined;
  const first = bucketStart(from, spanOf(interval), undefined, zone);
  const starts = bucketStarts(
    { span: spanOf(interval) },
    zone,
  )([BigInt((first ?? from).epochMilliseconds), BigInt(to.epochMilliseconds)]);
  if (!Array.isArray(starts) || starts.length > MAX_BUCKETS) return undefined;
  return starts.map(Number);
}

/** Days and weeks follow the calendar where clocks change. */
function spanOf(interval: number) {
  if (interval % WEEK === 0) return { count: interval / WEEK, unit: 'w' } as const;
  if (interval % DAY === 0) return { count: interval / DAY, unit: 'd' } as const;
  return { count: interval, unit: 's' } as const;
}

/** The longest time, in milliseconds, of which all starts are multiples: the database counts by it. */
export const slotOf = (starts: readonly number[]): number => starts.reduce(greatestDivisor, 0) || 1000;

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);

/** The place of the bucket that a time is in. */
export function bucketOf(starts: readonly number[], time: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  return low;
}
