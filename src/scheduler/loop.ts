// The only timer of the scheduler: runs one pass after another and sleeps until the next due time.

import type { Clock } from '#kernel/time/clock.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { Notifier } from '#runtime/notifier.ts';

/** Delay before a failed pass is retried. */
const RETRY_MS = 1000;

interface LoopDeps {
  readonly clock: Clock;
  pass(): Promise<void>;
  /** When the next pass is due, in epoch milliseconds. */
  nextMoment(now: number): number;
  failed(error: unknown): void;
}

export class Loop {
  readonly #deps: LoopDeps;
  #sleep = new AbortController();
  #isWoken = false;
  #isClosed = false;
  #error: unknown;
  #looping: Promise<void> = Promise.resolve();
  /** Notified by each sign of life. */
  readonly #alive = new Notifier();

  constructor(deps: LoopDeps) {
    this.#deps = deps;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(): void {
    this.#looping = this.#run();
  }

  /** Starts a pass at once. */
  wake(): void {
    this.#isWoken = true;
    this.#sleep.abort();
  }

  /** Resolves when the loop reports that it is alive; rejects with the error of the last pass. */
  async check(): Promise<void> {
    const alive = this.#alive.wait();
    this.wake();
    await alive;
    if (this.#error !== undefined) throw this.#error;
  }

  /** Called during long passes, too. */
  reportAlive(): void {
    this.#alive.notify();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.wake();
    await this.#looping;
    this.reportAlive();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#isWoken = false;
      try {
        await this.#deps.pass();
        this.#error = undefined;
      } catch (error) {
        this.#error = error;
        this.#deps.failed(error);
      }
      this.reportAlive();
      if (!this.#isClosed) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    const { clock } = this.#deps;
    this.#sleep = new AbortController();
    // The event loop runs between passes, however busy the loop is.
    await eventLoop.nextSlot();
    if (this.#isWoken && this.#error === undefined) return;
    const now = clock.now().epochMilliseconds;
    const next = this.#error === undefined ? this.#deps.nextMoment(now) : now + RETRY_MS;
    if (next <= now) return;
    await clock.sleep(Temporal.Duration.from({ milliseconds: next - now }), this.#sleep.signal);
  }
}
