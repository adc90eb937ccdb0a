// Who works on a stream: one at a time, whether bytes come in or the whole is imported. Whoever comes second waits. A
// connection that has died leaves its sender silent without ending; such a one makes room for whoever waits.

import { type ApiError, unavailable, wrongOffset } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';

const MAX_SILENCE = Temporal.Duration.from({ seconds: 5 });

export interface StreamLock {
  /** Its reason is the refusal that the work ends with. */
  readonly signal: AbortSignal;
  /** Says that bytes came in, for a turn that may be displaced. */
  reportOffset(offset: number): void;
  /** What to do when somebody asks how far it is. */
  onSync(work: () => Promise<void>): void;
}

interface Holder {
  readonly stop: AbortController;
  readonly over: Promise<unknown>;
  /** Undefined for a turn that nobody displaces. */
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

  /** Has what is under way written down, as far as it is. */
  async syncHolder(token: string): Promise<void> {
    // That it fails is for whoever does the work to say.
    await this.#holders
      .get(token)
      ?.sync()
      .catch(() => undefined);
  }

  /** Ends what is under way, and resolves when it is over. */
  async end(token: string, reason: ApiError): Promise<void> {
    const running = this.#holders.get(token);
    running?.stop.abort(reason);
    await running?.over;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#holders.keys()].map((token) => this.end(token, unavailable('stopping'))));
  }

  /** Until it is over, or has been silent for too long. */
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
