// The only timer of the scheduler: one pass after another, and rest until the next moment at which there is something to do.

import type { Clock } from '#kernel/clock.ts';
import { turn } from '#kernel/turns.ts';

/** After how long a pass that failed is tried again. */
const RETRY_MS = 1000;

interface LoopDeps {
  readonly clock: Clock;
  /** Does whatever is due. */
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
  /** Whoever wants to know that it turns. */
  #checks: (() => void)[] = [];

  constructor(deps: LoopDeps) {
    this.#deps = deps;
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
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#checks.push(resolve);
    this.wake();
    await promise;
    if (this.#error !== undefined) throw this.#error;
  }

  /** A long pass says so on its way. */
  reportAlive(): void {
    const watching = this.#checks;
    this.#checks = [];
    for (const resolve of watching) resolve();
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
    // Whatever it has to do, others come in between.
    await turn();
    if (this.#isWoken && this.#error === undefined) return;
    const now = clock.now().epochMilliseconds;
    const next = this.#error === undefined ? this.#deps.nextMoment(now) : now + RETRY_MS;
    if (next <= now) return;
    await clock.sleep(Temporal.Duration.from({ milliseconds: next - now }), this.#sleep.signal);
  }
}
