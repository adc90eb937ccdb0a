// The clock of a shared database, which decides for all nodes when slots are due: the clocks of their machines may be wrong. It
// is asked once in a while; in between the time that has passed here is added, which no change of this machine's clock moves.

import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import type { Store } from '#store/store.ts';

const PERIOD = Temporal.Duration.from({ seconds: 10 });
/** A later answer says too little: it may have been read at either end of the wait. */
const LATE_MS = 1000;

type Asked = Pick<Store, 'reader' | 'dialect'>;

export class DatabaseClock implements Clock, Disposable {
  readonly #store: Asked;
  readonly #asking: Disposable;
  /** Milliseconds that the database is ahead of the time since the start of this process. */
  #aheadMs = 0;

  private constructor(store: Asked) {
    this.#store = store;
    // Where it does not answer in time, the last answer counts.
    this.#asking = new Periodic({ clock: systemClock, period: PERIOD, work: () => this.#ask(), failed: ignoreFailure });
  }

  static async open(store: Asked): Promise<DatabaseClock> {
    const clock = new DatabaseClock(store);
    try {
      while (!(await clock.#ask()));
    } catch (error) {
      clock[Symbol.dispose]();
      throw error;
    }
    return clock;
  }

  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.nowMs());
  }

  nowMs(): number {
    return Math.floor(performance.now() + this.#aheadMs);
  }

  every(period: Temporal.Duration, work: () => unknown): Disposable {
    return systemClock.every(period, work);
  }

  sleep(length: Temporal.Duration, until?: AbortSignal): Promise<void> {
    return systemClock.sleep(length, until);
  }

  [Symbol.dispose](): void {
    this.#asking[Symbol.dispose]();
  }

  /** False where the answer came late. */
  async #ask(): Promise<boolean> {
    const asked = performance.now();
    const [row] = await this.#store.reader.all(`select ${DATABASE_NOW[this.#store.dialect]} as now`);
    const answered = performance.now();
    if (answered - asked > LATE_MS) return false;
    this.#aheadMs = Number(row?.now) - (asked + answered) / 2;
    return true;
  }
}
