// Times of arrival: microseconds by the clock of the metadata database, each given once by this process. A run is bounded by one,
// and sees every record that was acknowledged before.

import { performance } from 'node:perf_hooks';
import type { Store } from '#store/store.ts';

export class ArrivalClock {
  /** What the clock of the database is ahead of this one. */
  readonly #ahead: number;
  #last = 0;

  private constructor(ahead: number) {
    this.#ahead = ahead;
  }

  static async open(store: Store): Promise<ArrivalClock> {
    if (store.dialect === 'sqlite') return new ArrivalClock(0);
    const [row] = await store.reader.all('select extract(epoch from clock_timestamp()) * 1000000 as us');
    return new ArrivalClock(Math.round(Number(row?.us) - microseconds()));
  }

  /** After all that were given before. */
  next(): number {
    this.#last = Math.max(this.#last + 1, microseconds() + this.#ahead);
    return this.#last;
  }
}

/** Of real time, also where the service has another clock: a restart must not go back behind records. */
const microseconds = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000);
