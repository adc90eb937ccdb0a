// Hands the records that arrive in a table to its listeners once they are durable, each record once. Without a listener
// nothing is kept.

import type { Clock } from '#kernel/time/clock.ts';
import type { LogRecord, RecordBatch } from '#logs/log-store.ts';

interface Listener<C> {
  /** The first has the number `firstId`, those after it the following ones. */
  appended(records: readonly LogRecord[], firstId: number): void;
  /** Staged records are too many to be handed over: they are read back by what stands for them. */
  committed(records: C): void;
}

export class Arrivals<C> {
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener<C>>();
  #lastAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Epoch milliseconds of the last arrival; undefined without any. */
  get lastAt(): number | undefined {
    return this.#lastAt;
  }

  listen(listener: Listener<C>): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  appended(parts: RecordBatch['parts'], firstId: number): void {
    this.#lastAt = this.#clock.now().epochMilliseconds;
    if (this.#listeners.size === 0) return;
    const records = parts.flatMap((part) => ('count' in part ? part.records() : part));
    for (const listener of this.#listeners) listener.appended(records, firstId);
  }

  committed(records: C): void {
    this.#lastAt = this.#clock.now().epochMilliseconds;
    for (const listener of this.#listeners) listener.committed(records);
  }
}
