// The starts of buckets of dates in a row, empty buckets included.

import type { Duration } from '#query/model/durations.ts';
import type { Value } from '#query/model/values.ts';
import { bucketStart, movedBy } from './dates.ts';

interface Buckets {
  readonly span: Duration;
  readonly offset?: Duration | undefined;
}

export const MAX_BUCKETS = 100_000;

/** Starts of all buckets from the first to the last in milliseconds (cont=t); at most one more than MAX_BUCKETS. */
export function bucketStarts({ span, offset }: Buckets, zone: string): (values: readonly Value[]) => Value {
  const startOf = (at: Temporal.Instant) => bucketStart(at, span, offset, zone);
  return ([first = null, last = null]) => {
    if (typeof first !== 'bigint' || typeof last !== 'bigint') return null;
    const starts: bigint[] = [];
    let at: Temporal.Instant | null = startOf(Temporal.Instant.fromEpochMilliseconds(Number(first)));
    while (at && at.epochMilliseconds <= last && starts.length <= MAX_BUCKETS) {
      starts.push(BigInt(at.epochMilliseconds));
      at = nextStart(at, startOf, movedBy(at, span, zone));
    }
    return starts;
  };
}

/** A span later, unless the clock is changed in between: then the first moment that belongs to another bucket. */
function nextStart(
  at: Temporal.Instant,
  startOf: (at: Temporal.Instant) => Temporal.Instant | null,
  guess: Temporal.Instant | null,
): Temporal.Instant | null {
  const from = at.epochMilliseconds;
  const isBeyond = (moment: number) => {
    const start = startOf(Temporal.Instant.fromEpochMilliseconds(moment));
    return start !== null && start.epochMilliseconds > from;
  };
  if (guess === null) return null;
  if (isBeyond(guess.epochMilliseconds) && !isBeyond(guess.epochMilliseconds - 1)) return guess;
  let low = from;
  let high = guess.epochMilliseconds + 2 * 86_400_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return startOf(Temporal.Instant.fromEpochMilliseconds(high));
}
