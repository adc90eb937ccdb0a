// Attributes memory to runs. DuckDB does not count memory by query, and does not count all of it: values that a local function
// makes are not in its figures. So the resident memory of the process is sampled while runs are active, and its growth is
// attributed to them in equal parts. That is an estimate; it finds a run that is active whenever memory grows. The largest
// run is stopped before others fail for lack of memory: when much of the memory cannot be spilled to disk, or when the
// process has more than it should.

import type { Clock } from '#kernel/time/clock.ts';
import { Exhausted } from '#logs/log-store.ts';
import { Periodic, Rounds } from '#runtime/periodic.ts';

const SAMPLE_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
const MAX_PERIODS = 10;

interface MemoryWatchDeps {
  readonly clock: Clock;
  /** Of the process; beyond it the largest run is ended. */
  readonly maxBytes: number;
  /** Resident bytes of the process. */
  resident(): number;
  /** Of memory that cannot be spilled to disk; beyond it the largest run has to move to an isolated instance. */
  readonly maxHeldBytes: number;
  held(): Promise<number>;
}

interface WatchedRun {
  bytes: number;
  /** Until it has run for a period. */
  isYoung: boolean;
  readonly stopping: AbortController;
}

export class MemoryWatch {
  readonly #deps: MemoryWatchDeps;
  readonly #running = new Set<WatchedRun>();
  #sampling: Disposable | undefined;
  #last = 0;
  /** Since memory that cannot be spilled was last sampled. */
  #periods = 0;
  /** One at a time: a busy engine answers late. */
  readonly #heldSamples = new Rounds(() => this.#sampleHeld());

  constructor(deps: MemoryWatchDeps) {
    this.#deps = deps;
  }

  /** Watches a run until it is disposed of; `signal` tells it to stop. */
  enter(): Disposable & { readonly signal: AbortSignal } {
    const one = { bytes: 0, isYoung: this.#sampling !== undefined, stopping: new AbortController() };
    this.#running.add(one);
    if (!this.#sampling) this.#begin();
    return {
      signal: one.stopping.signal,
      [Symbol.dispose]: () => void this.#running.delete(one),
    };
  }

  /** Stops the largest run to free memory for a statement that must not fail; false where no run is active. */
  relieve(): boolean {
    const largest = this.#largest();
    largest?.stopping.abort(new Exhausted('others need the memory', { isMovable: true }));
    return largest !== undefined;
  }

  /** Goes on for a sample after the last run: reading the resident memory takes as long as a part of a small query. */
  #begin(): void {
    this.#last = this.#deps.resident();
    this.#sampling = new Periodic({
      clock: this.#deps.clock,
      period: SAMPLE_PERIOD,
      during: 'overlap',
      work: () => {
        if (this.#running.size === 0) {
          this.#end();
          return undefined;
        }
        this.#sample();
        this.#periods += 1;
        // It takes a statement, so small queries are left alone for a while.
        const isDue = this.#periods >= MAX_PERIODS || this.#running.values().some(({ isYoung }) => !isYoung);
        for (const one of this.#running) one.isYoung = false;
        return isDue ? this.#heldSamples.join() : undefined;
      },
    });
  }

  #end(): void {
    this.#sampling?.[Symbol.dispose]();
    this.#sampling = undefined;
  }

  #sample(): void {
    const now = this.#deps.resident();
    const each = Math.max(0, now - this.#last) / Math.max(1, this.#running.size);
    for (const one of this.#running) one.bytes += each;
    this.#last = now;
    if (now <= this.#deps.maxBytes) return;
    this.#largest()?.stopping.abort(new Exhausted('the process has too much memory', { isMovable: false }));
  }

  async #sampleHeld(): Promise<void> {
    this.#periods = 0;
    try {
      if ((await this.#deps.held()) > this.#deps.maxHeldBytes) this.relieve();
    } catch {
      // The engine is closing.
    }
  }

  #largest(): WatchedRun | undefined {
    const going = [...this.#running].filter(({ stopping }) => !stopping.signal.aborted);
    return going.reduce<WatchedRun | undefined>(
      (most, one) => (most && most.bytes >= one.bytes ? most : one),
      undefined,
    );
  }
}
