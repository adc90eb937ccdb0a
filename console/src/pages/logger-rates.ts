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

const RECENT_MINUTES = 5;

/** Records per minute lately. The minute that is not over yet does not count. */
export function recentRate(minutes: readonly Minute[]): number {
  const recent = minutes.slice(-1 - RECENT_MINUTES, -1);
  if (recent.length === 0) return 0;
  return Math.round(recent.reduce((sum, { log_count }) => sum + log_count, 0) / recent.length);
}
