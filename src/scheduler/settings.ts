// What may be set about schedules.

export const CATCH_UPS = ['none', 'latest', 'all'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

export interface SchedulerSettings {
  /** What is done about slots that were missed while nobody was there. */
  readonly catchUp: CatchUp;
  /** Over how long the starts of equal schedules are spread. */
  readonly jitter: Temporal.Duration;
  /** Runs at work at once. */
  readonly concurrency: number;
  /** A run that takes longer is broken off. */
  readonly runTimeout: Temporal.Duration;
  /** How long slots are kept. */
  readonly kept: Temporal.Duration;
}

/** Slots of a job that are caught up with at most. */
export const MAX_CATCH_UP = 1000;

/** How many milliseconds after its due time a job starts: always the same for a job, and different ones for others. */
export function jitterOf(guid: string, jitter: Temporal.Duration): number {
  const span = jitter.total('milliseconds');
  if (span === 0) return 0;
  let hash = 2_166_136_261;
  for (let at = 0; at < guid.length; at += 1) hash = Math.imul(hash ^ guid.charCodeAt(at), 16_777_619) >>> 0;
  return Math.floor((hash / 2 ** 32) * span);
}
