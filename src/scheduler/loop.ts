// The only timer of the scheduler: one pass after another, and rest until the next moment at which there is something to do.

import type { Clock } from '#kernel/clock.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { Notifier } from '#kernel/notifier.ts';

/** After how long a pass that failed is tried again. */
const RETRY_MS = 1000;

interface LoopParts {
  readonly clock: Clock;
  /** Does whatever is due. */
  pass(): Promise<void>;
  /** When the next pass is due, in epoch milliseconds. */
  nextMoment(now: number): number;
  failed(error: unknown): void;
}

export class Loop {
  readonly #parts: LoopParts;
  #sleep = new AbortController();
  #isWoken = false;
  #isClosed = false;
  #trouble: unknown;
  #looping: Promise<void> = Promise.resolve();
  /** Notified by each sign of life. */
  readonly #alive = new Notifier();

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(): void {
    this.#looping = this.#run();
  }

  /** There is something to do that it does not know of. */
  wake(): void {
    this.#isWoken = true;
    this.#sleep.abort();
  }

  /** Resolves with its next sign of life; rejects when it cannot do its work. */
  async check(): Promise<void> {
    const alive = this.#alive.wait();
    this.wake();
    await alive;
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  /** A long pass says so on its way. */
  isAlive(): void {
    this.#alive.notify();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.wake();
    await this.#looping;
    this.isAlive();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#isWoken = false;
      try {
        await this.#parts.pass();
        this.#trouble = undefined;
      } catch (error) {
        this.#trouble = error;
        this.#parts.failed(error);
      }
      this.isAlive();
      if (!this.#isClosed) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    const { clock } = this.#parts;
    this.#sleep = new AbortController();
    // Whatever it has to do, others come in between.
    await eventLoop.nextSlot();
    if (this.#isWoken && this.#trouble === undefined) return;
    const now = clock.now().epochMilliseconds;
    const next = this.#trouble === undefined ? this.#parts.nextMoment(now) : now + RETRY_MS;
    if (next <= now) return;
    await clock.sleep(Temporal.Duration.from({ milliseconds: next - now }), this.#sleep.signal);
  }
}
