// Time is an input: code that needs the present or a later moment receives a Clock. Only this file uses timers, so a
// test can control time everywhere else.

export interface Clock {
  now(): Temporal.Instant;
  /** As `now`, in milliseconds of the epoch, for what happens with every request: an Instant costs seven times as much. */
  nowMs(): number;
  /**
   * Calls `work` after every `period` until disposed. Never keeps the process alive by itself. The clock of the tests waits for
   * the promise that `work` returns; the system clock ignores it.
   */
  every(period: Temporal.Duration, work: () => unknown): Disposable;
  /**
   * Resolves after `length`, or at once when `until` is aborted. If the sleep is a timeout, `limited` is the work that it limits:
   * the clock of the tests waits for that work instead of timing it out by accident.
   */
  sleep(length: Temporal.Duration, until?: AbortSignal, limited?: Promise<unknown>): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),

  nowMs: () => Date.now(),

  every(period, work) {
    const timer = setInterval(work, period.total('milliseconds'));
    timer.unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  },

  sleep(length, until) {
    if (until?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      // Many sleeps may wait for one signal that is never aborted.
      until?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, length.total('milliseconds'));
    until?.addEventListener('abort', end);
    return promise;
  },
};

/** The result of `work`, or `fallback` when it takes longer than `length`. */
export async function withTimeout<T>(
  clock: Clock,
  length: Temporal.Duration,
  work: Promise<T>,
  fallback: T,
): Promise<T> {
  const done = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(length, done.signal, work).then(() => fallback)]);
  } finally {
    done.abort();
  }
}
