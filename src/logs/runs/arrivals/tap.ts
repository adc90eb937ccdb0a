// A tap collects the records that arrive in some tables from one moment to another, in that order, for one reader. Records
// that wait are in memory, so their size is bounded: a reader that cannot keep up fails, and appends never wait for it.

import { arrivalsTooFast } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogRecord } from '#logs/log-store.ts';
import { Budget } from '#runtime/budget.ts';
import { Notifier } from '#runtime/notifier.ts';
import type { ArrivedRowsDeps } from './arrived-batches.ts';
import type { ArrivedBatch } from './window-rows.ts';

/** A table whose records can be listened to as they arrive. */
export interface ArrivingTable {
  readonly name: string;
  listen(listener: ArrivalListener): Disposable;
}

export interface ArrivalListener {
  /** The first has the number `firstId`, those after it the following ones. */
  appended(records: readonly LogRecord[], firstId: number): void;
  /** Records that came as a whole. */
  committed(records: CommittedRecords): void;
}

/** Readable until they are disposed of. */
export interface CommittedRecords extends Disposable {
  batches(deps: ArrivedRowsDeps): AsyncGenerator<ArrivedBatch>;
}

export type Arrival =
  | { readonly table: string; readonly records: readonly LogRecord[]; readonly firstId: number }
  | { readonly committed: CommittedRecords };

/** Characters of records that may wait. */
const MAX_WAITING = 2 ** 26;
/** The longest timers last less than 25 days. */
const MAX_SLEEP = Temporal.Duration.from({ hours: 24 });

export class Tap implements Disposable {
  readonly #waiting: Arrival[] = [];
  readonly #listening = new DisposableStack();
  readonly #over = new AbortController();
  readonly #size = new Budget({ total: MAX_WAITING }).open();
  #isFull = false;
  #isEnded = false;
  readonly #arrived = new Notifier();

  /** Open from here on. */
  constructor(tables: Iterable<ArrivingTable>) {
    for (const table of tables) {
      this.#listening.use(
        table.listen({
          appended: (records, firstId) => this.#put({ table: table.name, records, firstId }, sizeOf(records)),
          committed: (committed) => this.#put({ committed }, 0),
        }),
      );
    }
  }

  [Symbol.dispose](): void {
    this.#close();
    this.#over.abort();
    for (const arrival of this.#waiting.splice(0)) if ('committed' in arrival) arrival.committed[Symbol.dispose]();
  }

  /** All that arrives before `end`. Throws when more waits than may. */
  async *until(end: Temporal.Instant, clock: Clock, signal: AbortSignal): AsyncGenerator<Arrival> {
    void reached(end, clock, this.#over.signal).then(() => this.#close());
    for (;;) {
      signal.throwIfAborted();
      if (this.#isFull) throw arrivalsTooFast();
      const next = this.#waiting.shift();
      if (next) {
        if ('records' in next) this.#size.release(sizeOf(next.records));
        yield next;
      } else if (this.#isEnded) return;
      else await this.#arrived.wait(signal);
    }
  }

  #put(arrival: Arrival, size: number): void {
    this.#waiting.push(arrival);
    if (this.#size.take(size) !== undefined) {
      this.#isFull = true;
      this[Symbol.dispose]();
    }
    this.#arrived.notify();
  }

  #close(): void {
    this.#isEnded = true;
    this.#listening.dispose();
    this.#arrived.notify();
  }
}

const sizeOf = (records: readonly LogRecord[]): number => records.reduce((total, { text }) => total + text.length, 0);

async function reached(end: Temporal.Instant, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const left = clock.now().until(end, { largestUnit: 'hours' });
    if (left.sign <= 0) return;
    await clock.sleep(Temporal.Duration.compare(left, MAX_SLEEP) > 0 ? MAX_SLEEP : left, signal);
  }
}
