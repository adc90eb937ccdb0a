// Who has the memory. DuckDB does not count it by query, and does not count all of it: what a function makes of a row is
// not in its books. So the memory of the process is looked at while queries run, and what it grows by is put down to
// those at work, in equal parts. That is no measurement; it finds whoever is there whenever there is growth. The largest
// is stopped before others fail for want of memory: when much of it is held by what cannot be put on the disk, or when
// the process has more than it should.

import { Exhausted } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';

const SAMPLE_PERIOD = Temporal.Duration.from({ milliseconds: 100 });

interface MemoryWatchDeps {
  readonly clock: Clock;
  /** Of the process; beyond it the largest of those at work is ended. */
  readonly maxBytes: number;
  /** Bytes that the process has. */
  resident(): number;
  /** Of what the engine holds and cannot put on the disk; beyond it the largest is to run apart. */
  readonly maxHeldBytes: number;
  held(): Promise<number>;
}

interface ExecutionSlots {
  bytes: number;
  readonly stopping: AbortController;
}

export class MemoryWatch {
  readonly #deps: MemoryWatchDeps;
  readonly #running = new Set<ExecutionSlots>();
  #looking: Disposable | undefined;
  #last = 0;
  #isInside = false;

  constructor(deps: MemoryWatchDeps) {
    this.#deps = deps;
  }

  /** For one run; `signal` tells it to stop. */
  enter(): Disposable & { readonly signal: AbortSignal } {
    const one = { bytes: 0, stopping: new AbortController() };
    if (this.#running.size === 0) this.#begin();
    this.#running.add(one);
    return {
      signal: one.stopping.signal,
      [Symbol.dispose]: () => {
        this.#running.delete(one);
        if (this.#running.size === 0) this.#looking?.[Symbol.dispose]();
      },
    };
  }

  /** Stops the largest for the sake of something that must not fail; false where nobody is at work. */
  relieve(): boolean {
    const largest = this.#largest();
    largest?.stopping.abort(new Exhausted('others need the memory', { isMovable: true }));
    return largest !== undefined;
  }

  #begin(): void {
    this.#last = this.#deps.resident();
    this.#looking = this.#deps.clock.every(SAMPLE_PERIOD, () => {
      this.#look();
      void this.#lookInside();
    });
  }

  #look(): void {
    const now = this.#deps.resident();
    const each = Math.max(0, now - this.#last) / Math.max(1, this.#running.size);
    for (const one of this.#running) one.bytes += each;
    this.#last = now;
    if (now <= this.#deps.maxBytes) return;
    this.#largest()?.stopping.abort(new Exhausted('the process has too much memory', { isMovable: false }));
  }

  /** One look at a time: a busy engine takes its time to tell. */
  async #lookInside(): Promise<void> {
    if (this.#isInside) return;
    this.#isInside = true;
    try {
      if ((await this.#deps.held()) > this.#deps.maxHeldBytes) this.relieve();
    } catch {
      // An engine that cannot tell any more is closing.
    } finally {
      this.#isInside = false;
    }
  }

  #largest(): ExecutionSlots | undefined {
    const going = [...this.#running].filter(({ stopping }) => !stopping.signal.aborted);
    return going.reduce<ExecutionSlots | undefined>(
      (most, one) => (most && most.bytes >= one.bytes ? most : one),
      undefined,
    );
  }
}
