// Work that is tried again after a failure. The delays between attempts are data, so a reader sees how often and how long at once.

import type { Clock } from '#kernel/time/clock.ts';

/** Milliseconds before the second attempt, before the third, and so on. */
export interface RetryDelays {
  readonly ms: readonly number[];
  /** True if the last delay repeats: the work is tried until it succeeds. */
  readonly isEndless?: boolean;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly delays: RetryDelays;
  /** Ends delays and further attempts. An attempt under way goes on, and the first one is always made. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the error of each failed attempt, to report it. */
  failed?(error: unknown): void;
  /** Whether a failure is worth a further attempt: every one, unless set. Called while there is a delay left. */
  mayRetry?(error: unknown): boolean | Promise<boolean>;
}

export interface Attempts {
  /** The work has made progress: the next delay is the first one again. */
  startOver(): void;
}

/** Resolves with the first attempt that succeeds. Rejects with the error of the last one. */
export async function retry<T>(work: (attempts: Attempts) => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, delays, signal, failed, mayRetry = () => true } = options;
  let failures = 0;
  const attempts = {
    startOver() {
      failures = 0;
    },
  };
  for (;;) {
    try {
      return await work(attempts);
    } catch (error) {
      failed?.(error);
      const delayMs = delayAfter(failures, delays);
      if (delayMs === undefined || !(await mayRetry(error))) throw error;
      // Without a delay the next attempt does not wait for a timer.
      if (delayMs > 0) await clock.sleep(Temporal.Duration.from({ milliseconds: delayMs }), signal);
      if (signal?.aborted) throw error;
      failures += 1;
    }
  }
}

const delayAfter = (failures: number, { ms, isEndless = false }: RetryDelays): number | undefined =>
  ms[failures] ?? (isEndless ? ms.at(-1) : undefined);

/** The same delay before each of so many further attempts, or before all. */
export const sameDelay = (delayMs: number, retries = Number.POSITIVE_INFINITY): RetryDelays =>
  Number.isFinite(retries) ? { ms: Array<number>(retries).fill(delayMs) } : { ms: [delayMs], isEndless: true };
