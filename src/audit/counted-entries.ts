// Audit entries of repeatable attempts: equal attempts within a minute become one entry at its end, with their count,
// so that repetition cannot fill the trail.

import type { Clock } from '#kernel/clock.ts';
import type { Draft } from './entry.ts';
import type { Trail } from './trail.ts';

const MINUTE_MS = 60_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });
const MAX_KEYS = 10_000;

interface Minute {
  readonly begun: number;
  readonly draft: Draft;
  count: number;
}

/** Attempts in the current minute. */
interface MinuteCount {
  readonly count: number;
  /** Milliseconds until the end of the minute. */
  readonly remainingMs: number;
}

export class CountedEntries {
  readonly #trail: Trail;
  readonly #clock: Clock;
  readonly #sweeping: Disposable;
  /** Ordered by the start of the minute. */
  readonly #minutes = new Map<string, Minute>();

  constructor(deps: { trail: Trail; clock: Clock }) {
    this.#trail = deps.trail;
    this.#clock = deps.clock;
    this.#sweeping = deps.clock.every(SWEEP_PERIOD, () => {
      // The store reports its failures itself.
      for (const written of this.#sweep(MINUTE_MS)) written.catch(() => undefined);
    });
  }

  currentMinute(key: string): MinuteCount {
    const now = this.#clock.now().epochMilliseconds;
    const minute = this.#minutes.get(key);
    if (!minute || now - minute.begun >= MINUTE_MS) return { count: 0, remainingMs: MINUTE_MS };
    return { count: minute.count, remainingMs: minute.begun + MINUTE_MS - now };
  }

  /** Counts one more attempt of `key`. `draft` is the entry of the first in a minute. */
  add(key: string, draft: Draft): void {
    const now = this.#clock.now().epochMilliseconds;
    const known = this.#minutes.get(key);
    if (known && now - known.begun < MINUTE_MS) {
      known.count += 1;
      return;
    }
    if (known) this.#end(key, known).catch(() => undefined);
    const [oldest] = this.#minutes;
    if (oldest && this.#minutes.size >= MAX_KEYS) this.#end(...oldest).catch(() => undefined);
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

  /** A minute that cannot be written now is kept for the next attempt. */
  async #end(key: string, minute: Minute): Promise<void> {
    const { draft, count } = minute;
    this.#minutes.delete(key);
    try {
      await this.#trail.record({ ...draft, msg_params: { ...draft.msg_params, count } });
    } catch (error) {
      if (!this.#minutes.has(key) && this.#minutes.size < MAX_KEYS) this.#minutes.set(key, minute);
      throw error;
    }
  }
}
