// A clock that stands still until a test moves it; whatever falls due on the way is run, in order.

import type { Clock } from '#kernel/clock.ts';

interface Due {
  at: Temporal.Instant;
  readonly period: Temporal.Duration | undefined;
  work(): void;
}

export class ManualClock implements Clock {
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
    if (until?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: Due = { at: this.#now.add(length), period: undefined, work: resolve };
    this.#due.add(due);
    until?.addEventListener('abort', () => {
      this.#due.delete(due);
      resolve();
    });
    return promise;
  }

  advance(length: Temporal.DurationLike): void {
    const end = this.#now.add(length);
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#now = next.at;
      if (next.period) next.at = next.at.add(next.period);
      else this.#due.delete(next);
      next.work();
    }
    this.#now = end;
  }

  /** For long times: whatever fell due on the way is run once, not once for every period. */
  leap(length: Temporal.DurationLike): void {
    this.#now = this.#now.add(length);
    for (const due of [...this.#due]) {
      if (Temporal.Instant.compare(due.at, this.#now) > 0) continue;
      if (due.period) due.at = this.#now.add(due.period);
      else this.#due.delete(due);
      due.work();
    }
  }

  #earliest(end: Temporal.Instant): Due | undefined {
    const within = [...this.#due].filter(({ at }) => Temporal.Instant.compare(at, end) <= 0);
    return within.sort((a, b) => Temporal.Instant.compare(a.at, b.at))[0];
  }
}
