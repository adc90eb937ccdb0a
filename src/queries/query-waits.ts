// Requests that wait for a query: for its end, or for rows of it. A change of the query, the end of the wait, a disconnect
// and a stop of the service each end the wait; nothing looks at the query in between.

import type { RequestSlots } from '#access/limits/request-slots.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQuery } from './live-query.ts';

interface QueryWaitsDeps {
  readonly clock: Clock;
  readonly slots: RequestSlots;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

interface WaitOptions {
  readonly userGuid: string;
  /** The longest wait; 0 for none. */
  readonly seconds: number;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

export interface QueryWait extends Disposable {
  /** Resolves when `isReached`, or when the wait is over. */
  until(query: LiveQuery, isReached: () => boolean): Promise<void>;
}

const NO_WAIT: QueryWait = { until: async () => undefined, [Symbol.dispose]: () => undefined };

export class QueryWaits {
  readonly #deps: QueryWaitsDeps;

  constructor(deps: QueryWaitsDeps) {
    this.#deps = deps;
  }

  /** Takes a slot of the account. Throws where it has none left: before an operation begins a query that it would wait for. */
  open({ userGuid, seconds, gone }: WaitOptions): QueryWait {
    if (seconds === 0) return NO_WAIT;
    const slot = this.#deps.slots.acquire(userGuid);
    const length = Temporal.Duration.from({ seconds });
    return {
      until: (query, isReached) => this.#until(query, isReached, { length, gone }),
      [Symbol.dispose]: () => slot[Symbol.dispose](),
    };
  }

  async #until(
    query: LiveQuery,
    isReached: () => boolean,
    { length, gone }: { length: Temporal.Duration; gone: AbortSignal },
  ): Promise<void> {
    const { clock, stopping } = this.#deps;
    const over = new AbortController();
    const end = () => over.abort();
    for (const signal of [gone, stopping]) {
      signal.addEventListener('abort', end, { signal: over.signal });
      if (signal.aborted) end();
    }
    void clock.sleep(length, over.signal).then(end);
    while (!over.signal.aborted && !isReached()) await query.changes.wait(over.signal);
    // Removes the listeners of both signals, and the timer.
    end();
  }
}
