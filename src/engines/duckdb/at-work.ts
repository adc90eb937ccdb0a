// How many pieces of queries are worked on at once, be it in DuckDB or in threads of the host. Beyond a few for each
// processor nothing is done sooner, but whoever holds a lock of the process or of its memory then waits for its turn among
// all of them, and with it the thread that answers everybody. A run that waits for its reader, or for records, has no place.

import { availableParallelism } from 'node:os';
import { FairPlaces } from '#kernel/fair-places.ts';

const PER_PROCESSOR = { perAccount: 2, inAll: 3 };

/** For the work of one run. */
export interface RunWork {
  /** Ends it, whatever it is at. */
  readonly signal: AbortSignal;
  /** Does a piece of it when there is a place. */
  piece<T>(work: () => Promise<T>): Promise<T>;
}

export class AtWork {
  readonly #places: FairPlaces;

  constructor(processors = availableParallelism()) {
    const { perAccount, inAll } = PER_PROCESSOR;
    const most = { perAccount: perAccount * processors, inAll: inAll * processors };
    this.#places = new FairPlaces({ ...most, isOneSure: true });
  }

  of(account: string, signal: AbortSignal): RunWork {
    const places = this.#places;
    return {
      signal,
      async piece(work) {
        using _place = await places.enter(account, signal);
        return await work();
      },
    };
  }
}
