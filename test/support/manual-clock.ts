// A clock that stands still until a test moves it; whatever falls due on the way is run, in order.

import type { Clock } from '#kernel/clock.ts';

interface Due {
  /** Epoch milliseconds: an hour of a service has more than a hundred thousand moments to compare. */
  atMs: number;
  readonly periodMs: number | undefined;
  work(): void;
}

export class ManualClock implements Clock {
  #now: Temporal.Instant;
  /** In the order they came: of several that fall due at once, the oldest is run first. */
  readonly #due = new Set<Due>();

  constructor(now: string) {
    this.#now = Temporal.Instant.from(now);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  nowMs(): number {
    return this.#now.epochMilliseconds;
  }

  every(period: Temporal.Duration, work: () => void): Disposable {
    const periodMs = period.total('milliseconds');
    const due: Due = { atMs: this.#nowMs + periodMs, periodMs, work };
    this.#due.add(due);
    return { [Symbol.dispose]: () => void this.#due.delete(due) };
  }

  sleep(length: Temporal.Duration, until?: AbortSignal): Promise<void> {
    if (until?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: Due = { atMs: this.#nowMs + length.total('milliseconds'), periodMs: undefined, work: resolve };
    this.#due.add(due);
    until?.addEventListener('abort', () => {
      this.#due.delete(due);
      resolve();
    });
    return promise;
  }

  advance(length: Temporal.DurationLike): void {
    const end = this.#now.add(length);
    const endMs = end.epochMilliseconds;
    for (let next = this.#earliest(endMs); next; next = this.#earliest(endMs)) {
      this.#moveTo(next.atMs);
      if (next.periodMs) next.atMs += next.periodMs;
      else this.#due.delete(next);
      next.work();
    }
    this.#now = end;
  }

  /** For long times: whatever fell due on the way is run once, not once for every period. */
  leap(length: Temporal.DurationLike): void {
    this.#now = this.#now.add(length);
    const nowMs = this.#nowMs;
    for (const due of [...this.#due]) {
      if (due.atMs > nowMs) continue;
      if (due.periodMs) due.atMs = nowMs + due.periodMs;
      else this.#due.delete(due);
      due.work();
    }
  }

  /** How many sleep until exactly so much later. */
  sleepersFor(length: Temporal.DurationLike): number {
    const atMs = this.#now.add(length).epochMilliseconds;
    return [...this.#due].filter((due) => due.periodMs === undefined && due.atMs === atMs).length;
  }

  get #nowMs(): number {
    return this.#now.epochMilliseconds;
  }

  #moveTo(atMs: number): void {
    if (atMs !== this.#nowMs) this.#now = Temporal.Instant.fromEpochMilliseconds(atMs);
  }

  #earliest(endMs: number): Due | undefined {
    let earliest: Due | undefined;
    for (const due of this.#due) {
      if (due.atMs <= endMs && (!earliest || due.atMs < earliest.atMs)) earliest = due;
    }
    return earliest;
  }
}
