// A clock that stands still until a test moves it; whatever falls due on the way is run, in order.
//
// `pass` is the usual way to move it: each step waits for the work that the step before has started, and no work in progress
// times out. `advance` and `leap` move at once, for tests that only read the time, whose work hangs on purpose, or that let
// hours go by; `settled` afterwards waits for the started work. What sleeps has to be asleep before the clock moves: `asleep`.

import type { Clock } from '#kernel/time/clock.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { Notifier } from '#runtime/notifier.ts';

interface Due {
  /** Epoch milliseconds: an hour of a service has more than a hundred thousand moments to compare. */
  atMs: number;
  readonly periodMs: number | undefined;
  /** The work that a timeout limits. */
  limited?: Promise<unknown> | undefined;
  work(): unknown;
}

export class ManualClock implements Clock {
  #now: Temporal.Instant;
  /** In the order they came: of several that fall due at once, the oldest is run first. */
  readonly #due = new Set<Due>();
  /** Periodic work that has not ended. */
  readonly #running = new Set<Promise<unknown>>();
  /** Notified by each new sleeper. */
  readonly #slept = new Notifier();

  constructor(now: string) {
    this.#now = Temporal.Instant.from(now);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  nowMs(): number {
    return this.#now.epochMilliseconds;
  }

  every(period: Temporal.Duration, work: () => unknown): Disposable {
    const periodMs = period.total('milliseconds');
    const due: Due = { atMs: this.#nowMs + periodMs, periodMs, work };
    this.#due.add(due);
    return { [Symbol.dispose]: () => void this.#due.delete(due) };
  }

  sleep(length: Temporal.Duration, until?: AbortSignal, limited?: Promise<unknown>): Promise<void> {
    if (until?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: Due = { atMs: this.#nowMs + length.total('milliseconds'), periodMs: undefined, limited, work: resolve };
    this.#due.add(due);
    this.#slept.notify();
    until?.addEventListener('abort', () => {
      this.#due.delete(due);
      resolve();
    });
    return promise;
  }

  /** Moves from one due moment to the next, each time after the work started so far has ended. Nothing times out. */
  async pass(length: Temporal.DurationLike): Promise<void> {
    const end = this.#now.add(length);
    await this.settled();
    for (let next = this.#earliest(end.epochMilliseconds); next; next = this.#earliest(end.epochMilliseconds)) {
      if (await this.#isLimitedDone(next.atMs)) continue;
      this.#runUntil(next.atMs);
      await this.settled();
    }
    this.#now = end;
  }

  advance(length: Temporal.DurationLike): void {
    const end = this.#now.add(length);
    this.#runUntil(end.epochMilliseconds);
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
      this.#run(due);
    }
  }

  /** Resolves when all periodic work that was started has ended; rejects if some of it fails. */
  async settled(): Promise<void> {
    // Whoever was woken goes on before the clock is moved again.
    do {
      await Promise.all(this.#running);
      await yieldToEventLoop();
    } while (this.#running.size > 0);
  }

  /** Resolves as soon as `count` sleep until exactly so much later. */
  async asleep(length: Temporal.DurationLike, count = 1): Promise<void> {
    while (this.sleepersFor(length) < count) await this.#slept.wait();
  }

  /** How many sleep until exactly so much later. */
  sleepersFor(length: Temporal.DurationLike): number {
    const atMs = this.#now.add(length).epochMilliseconds;
    return [...this.#due].filter((due) => due.periodMs === undefined && due.atMs === atMs).length;
  }

  get #nowMs(): number {
    return this.#now.epochMilliseconds;
  }

  #runUntil(endMs: number): void {
    for (let next = this.#earliest(endMs); next; next = this.#earliest(endMs)) {
      this.#moveTo(next.atMs);
      if (next.periodMs) next.atMs += next.periodMs;
      else this.#due.delete(next);
      this.#run(next);
    }
  }

  #run({ work }: Due): void {
    const result = work();
    if (!(result instanceof Promise)) return;
    const ended = result.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }

  /** Waits for work that would time out at `atMs`; false if there is none. Its timeouts are gone then. */
  async #isLimitedDone(atMs: number): Promise<boolean> {
    const limits = [...this.#due].filter((due) => due.limited && due.atMs <= atMs);
    await Promise.allSettled(limits.map(({ limited }) => limited));
    await yieldToEventLoop();
    for (const due of limits) due.limited = undefined;
    return limits.length > 0;
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
