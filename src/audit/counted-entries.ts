// Entries of what may be tried again and again: what is alike within a minute becomes one entry at its end, with how often
// it happened, so that whoever repeats it cannot fill the trail.

import type { Clock } from '#kernel/clock.ts';
import type { Draft } from './entry.ts';
import type { Trail } from './trail.ts';

const MINUTE_MS = 60_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });
const KEYS_WATCHED = 10_000;

interface Minute {
  readonly begun: number;
  readonly draft: Draft;
  count: number;
}

/** How often something happened in the minute that is running. */
export interface Counted {
  readonly count: number;
  /** Milliseconds until the minute is over. */
  readonly left: number;
}

export class CountedEntries {
  readonly #trail: Trail;
  readonly #clock: Clock;
  readonly #sweeping: Disposable;
  /** In the order in which the minutes began. */
  readonly #minutes = new Map<string, Minute>();

  constructor(parts: { trail: Trail; clock: Clock }) {
    this.#trail = parts.trail;
    this.#clock = parts.clock;
    this.#sweeping = parts.clock.every(SWEEP_PERIOD, () => {
      // The store tells of that itself.
      for (const written of this.#sweep(MINUTE_MS)) written.catch(() => undefined);
    });
  }

  counted(key: string): Counted {
    const now = this.#clock.now().epochMilliseconds;
    const minute = this.#minutes.get(key);
    if (!minute || now - minute.begun >= MINUTE_MS) return { count: 0, left: MINUTE_MS };
    return { count: minute.count, left: minute.begun + MINUTE_MS - now };
  }

  /** One more of what `key` tells apart. `draft` is the entry of a minute's first. */
  add(key: string, draft: Draft): void {
    const now = this.#clock.now().epochMilliseconds;
    const known = this.#minutes.get(key);
    if (known && now - known.begun < MINUTE_MS) {
      known.count += 1;
      return;
    }
    if (known) this.#end(key, known).catch(() => undefined);
    const [oldest] = this.#minutes;
    if (oldest && this.#minutes.size >= KEYS_WATCHED) this.#end(...oldest).catch(() => undefined);
    this.#minutes.set(key, { begun: now, draft, count: 1 });
  }

  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await Promise.all(this.#sweep(0));
  }

  #sweep(age: number): Promise<void>[] {
    const now = this.#clock.now().epochMilliseconds;
    const ended = [...this.#minutes].filter(([, minute]) => now - minute.begun >= age);
    return ended.map(([key, minute]) => this.#end(key, minute));
  }

  /** A minute that cannot be written now is kept for the next try. */
  async #end(key: string, minute: Minute): Promise<void> {
    const { draft, count } = minute;
    this.#minutes.delete(key);
    try {
      await this.#trail.record({ ...draft, msg_params: { ...draft.msg_params, count } });
    } catch (error) {
      if (!this.#minutes.has(key) && this.#minutes.size < KEYS_WATCHED) this.#minutes.set(key, minute);
      throw error;
    }
  }
}
