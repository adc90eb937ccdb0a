// The time that a statement may take. Only waiting for the database counts: a slow reader of its rows costs it nothing.

import type { Clock } from '#kernel/time/clock.ts';
import { CeilingReached } from './database-failure.ts';
import type { DatabaseSession } from './database-session.ts';

interface StatementTimeOptions {
  readonly clock: Clock;
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

export class StatementTime {
  readonly #session: DatabaseSession;
  readonly #options: StatementTimeOptions;
  #leftMs: number;

  constructor(session: DatabaseSession, options: StatementTimeOptions) {
    this.#session = session;
    this.#options = options;
    this.#leftMs = options.maxMs;
  }

  /** The result of `work`. When the time is over, or the query is cancelled, the statement is cancelled in the database. */
  async wait<T>(work: Promise<T>): Promise<T> {
    const { clock, maxMs, signal } = this.#options;
    signal.throwIfAborted();
    const begun = clock.now();
    const done = new AbortController();
    const ends = AbortSignal.any([signal, done.signal]);
    const length = Temporal.Duration.from({ milliseconds: Math.max(1, Math.ceil(this.#leftMs)) });
    // Its failure after the end concerns no reader.
    work.catch(() => undefined);
    try {
      const isOver = await Promise.race([work.then(() => false), clock.sleep(length, ends, work).then(() => true)]);
      if (!isOver) return await work;
      void this.#session.cancel();
      signal.throwIfAborted();
      throw new CeilingReached('seconds', Math.ceil(maxMs / 1000) + 1, Math.ceil(maxMs / 1000));
    } finally {
      done.abort();
      this.#leftMs -= clock.now().since(begun).total('milliseconds');
    }
  }
}
