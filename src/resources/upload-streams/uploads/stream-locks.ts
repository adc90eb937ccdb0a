// Locks of upload streams: one append or import at a time, others wait. A dead connection may stay open without sending; its lock
// is taken over after MAX_SILENCE.

import { type ApiError, unavailable, wrongOffset } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';

const MAX_SILENCE = Temporal.Duration.from({ seconds: 5 });

export interface StreamLock {
  /** Its reason is the ApiError that the work ends with. */
  readonly signal: AbortSignal;
  /** Reports received bytes. A holder that reports can be displaced when it is silent. */
  reportOffset(offset: number): void;
  /** Sets the work of `syncHolder`. */
  onSync(work: () => Promise<void>): void;
}

interface Holder {
  readonly stop: AbortController;
  readonly over: Promise<unknown>;
  /** Undefined for a holder that cannot be displaced. */
  last: { at: Temporal.Instant; offset: number } | undefined;
  sync: () => Promise<void>;
}

export class StreamLocks {
  readonly #clock: Clock;
  readonly #holders = new Map<string, Holder>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(token: string): boolean {
    return this.#holders.has(token);
  }

  async withLock<T>(token: string, work: (turn: StreamLock) => Promise<T>): Promise<T> {
    for (let former = this.#holders.get(token); former; former = this.#holders.get(token))
      await this.#waitForRelease(former);
    if (this.#isClosed) throw unavailable('stopping');
    const stop = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const running: Holder = { stop, over, last: undefined, sync: async () => undefined };
    this.#holders.set(token, running);
    const reportOffset = (offset: number) => {
      running.last = { at: this.#clock.now(), offset };
    };
    const onSync = (answer: () => Promise<void>) => {
      running.sync = answer;
    };
    try {
      return await work({ signal: stop.signal, reportOffset, onSync });
    } finally {
      this.#holders.delete(token);
      resolve();
    }
  }

  /** Lets the holder record its durable offset. */
  async syncHolder(token: string): Promise<void> {
    // The holder reports the error itself.
    await this.#holders
      .get(token)
      ?.sync()
      .catch(() => undefined);
  }

  /** Aborts the holder and resolves when it has ended. */
  async end(token: string, reason: ApiError): Promise<void> {
    const running = this.#holders.get(token);
    running?.stop.abort(reason);
    await running?.over;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#holders.keys()].map((token) => this.end(token, unavailable('stopping'))));
  }

  /** Waits until the holder has ended; displaces a holder that is silent for too long. */
  async #waitForRelease({ stop, over, last }: Holder): Promise<void> {
    if (!last) return void (await over);
    const silent = last.at.until(this.#clock.now());
    if (Temporal.Duration.compare(silent, MAX_SILENCE) >= 0) {
      stop.abort(wrongOffset(last.offset));
      return void (await over);
    }
    const isOver = new AbortController();
    over.then(() => isOver.abort());
    await this.#clock.sleep(MAX_SILENCE.subtract(silent), isOver.signal);
  }
}
