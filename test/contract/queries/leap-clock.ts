// A clock for long times: it leaps, and whatever fell due on the way is run once, not once for every period.

import type { Clock } from '#kernel/clock.ts';

interface Due {
  at: Temporal.Instant;
  readonly period: Temporal.Duration | undefined;
  work(): void;
}

export class LeapClock implements Clock {
  #now: Temporal.Instant;
  readonly #due = new Set<Due>();

  constructor(now: string) {
    this.#now = Temporal.Instant.from(now);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  every(period: Temporal.Duration, work: () => void): Disposable {
    const due: Due = { at: this.#now.add(period), period, work };
    this.#due.add(due);
    return { [Symbol.dispose]: () => void this.#due.delete(due) };
  }

  sleep(length: Temporal.Duration, until?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: Due = { at: this.#now.add(length), period: undefined, work: resolve };
    this.#due.add(due);
    until?.addEventListener('abort', () => {
      this.#due.delete(due);
      resolve();
    });
    return promise;
  }

  leap(length: Temporal.DurationLike): void {
    this.#now = this.#now.add(length);
    for (const due of [...this.#due]) {
      if (Temporal.Instant.compare(due.at, this.#now) > 0) continue;
      if (due.period) due.at = this.#now.add(due.period);
      else this.#due.delete(due);
      due.work();
    }
  }
}
