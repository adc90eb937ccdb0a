// Rates of a logger, minute by minute, made fit for a small chart.

interface Minute {
  readonly log_count: number;
}

/** The counts of the minutes, oldest first, summed up into so many values; minutes before counting began are 0. */
export function perBucket(minutes: readonly Minute[], buckets: number, all = 1440): readonly number[] {
  const sums = new Array<number>(buckets).fill(0);
  const before = all - minutes.length;
  for (const [index, { log_count }] of minutes.entries()) {
    const bucket = Math.min(buckets - 1, Math.floor(((before + index) / all) * buckets));
    sums[bucket] = (sums[bucket] ?? 0) + log_count;
  }
  return sums;
}

/**
 * Records of the last minute that is over; 0 before one is. Not a mean of several minutes: it would show an import that has
 * ended as the present rate.
 */
export const lastMinute = (minutes: readonly Minute[]): number => minutes.at(-2)?.log_count ?? 0;
