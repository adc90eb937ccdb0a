// Settings of the scheduler.

export const CATCH_UPS = ['none', 'latest', 'all'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

export interface SchedulerSettings {
  /** Which missed slots are backfilled. */
  readonly catchUp: CatchUp;
  /** Maximum random delay of scheduled starts. */
  readonly jitter: Temporal.Duration;
  /** Maximum of concurrent attempts, by kind of job: one kind never waits for another. */
  readonly concurrency: ReadonlyMap<string, number>;
  /** Longer attempts are cancelled. */
  readonly runTimeout: Temporal.Duration;
  /** Retention of slots. */
  readonly kept: Temporal.Duration;
}

/** Maximum of missed slots of a job that are backfilled. */
export const MAX_CATCH_UP = 1000;

/** Start delay of a job in milliseconds: a hash of its GUID, so that it is stable per job. */
export function jitterOf(guid: string, jitter: Temporal.Duration): number {
  const span = jitter.total('milliseconds');
  if (span === 0) return 0;
  let hash = 2_166_136_261;
  for (let at = 0; at < guid.length; at += 1) hash = Math.imul(hash ^ guid.charCodeAt(at), 16_777_619) >>> 0;
  return Math.floor((hash / 2 ** 32) * span);
}
