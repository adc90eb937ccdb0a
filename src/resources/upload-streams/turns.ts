// Who works on a stream: one at a time, whether bytes come in or the whole is imported. Whoever comes second waits. A
// connection that has died leaves its sender silent without ending; such a one makes room for whoever waits.

import { type ApiError, unavailable, wrongOffset } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';

const SILENCE = Temporal.Duration.from({ seconds: 5 });

export interface Turn {
  /** Its reason is the refusal that the work ends with. */
  readonly signal: AbortSignal;
  /** Says that bytes came in, for a turn that may be displaced. */
  heard(offset: number): void;
  /** What to do when somebody asks how far it is. */
  whenAsked(work: () => Promise<void>): void;
}

interface Running {
  readonly stop: AbortController;
  readonly over: Promise<unknown>;
  /** Undefined for a turn that nobody displaces. */
  last: { at: Temporal.Instant; offset: number } | undefined;
  asked: () => Promise<void>;
}

export class Turns {
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(token: string): boolean {
    return this.#running.has(token);
  }

  async take<T>(token: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    for (let former = this.#running.get(token); former; former = this.#running.get(token)) await this.#outwait(former);
    if (this.#isClosed) throw unavailable('stopping');
    const stop = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const running: Running = { stop, over, last: undefined, asked: async () => undefined };
    this.#running.set(token, running);
    const heard = (offset: number) => {
      running.last = { at: this.#clock.now(), offset };
    };
    const whenAsked = (answer: () => Promise<void>) => {
      running.asked = answer;
    };
    try {
      return await work({ signal: stop.signal, heard, whenAsked });
    } finally {
      this.#running.delete(token);
      resolve();
    }
  }

  /** Has what is under way written down, as far as it is. */
  async ask(token: string): Promise<void> {
    // That it fails is for whoever does the work to say.
    await this.#running
      .get(token)
      ?.asked()
      .catch(() => undefined);
  }

  /** Ends what is under way, and resolves when it is over. */
  async end(token: string, reason: ApiError): Promise<void> {
    const running = this.#running.get(token);
    running?.stop.abort(reason);
    await running?.over;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.keys()].map((token) => this.end(token, unavailable('stopping'))));
  }

  /** Until it is over, or has been silent for too long. */
  async #outwait({ stop, over, last }: Running): Promise<void> {
    if (!last) return void (await over);
    const silent = last.at.until(this.#clock.now());
    if (Temporal.Duration.compare(silent, SILENCE) >= 0) {
      stop.abort(wrongOffset(last.offset));
      return void (await over);
    }
    const isOver = new AbortController();
    over.then(() => isOver.abort());
    await this.#clock.sleep(SILENCE.subtract(silent), isOver.signal);
  }
}
