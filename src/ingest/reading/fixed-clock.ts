// A clock for threads that parse lines: the time comes with each order, and nothing in a parser waits.

import type { Clock } from '#kernel/time/clock.ts';

export function fixedClock(nowMs: () => number): Clock {
  const every = () => ({ [Symbol.dispose]: () => undefined });
  return { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs()), nowMs, every, sleep: async () => undefined };
}
