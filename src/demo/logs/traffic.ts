// The load of the demo's shop over a day, and the times of its logs within a minute.

import type { Random } from '#demo/random.ts';

export const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1440;

/** Factors of the mean load, by hours of UTC; the shop is in Korea, nine hours ahead. */
const HOURS = [
  1.2, 1.4, 1.5, 1.4, 1.3, 1.4, 1.4, 1.3, 1.2, 1.2, 1.4, 1.7, 1.9, 1.8, 1.4, 0.9, 0.5, 0.3, 0.2, 0.2, 0.2, 0.3, 0.6,
  0.8,
];

/** The number of logs in the minute that begins at `start`, for a mean per minute. */
export function busy(start: number, mean: number): number {
  const hour = (start / 3_600_000) % 24;
  const from = HOURS[Math.floor(hour)] ?? 1;
  const to = HOURS[Math.floor(hour + 1) % 24] ?? 1;
  return Math.round(mean * (from + (to - from) * (hour % 1)));
}

/** Random times within the minute that begins at `start`, in order. */
export function* moments(random: Random, start: number, count: number): Generator<number> {
  for (let n = 0; n < count; n += 1) yield start + Math.floor(((n + random.next()) * MINUTE_MS) / count);
}
