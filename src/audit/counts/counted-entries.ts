// Audit entries of repeatable attempts: equal attempts within a minute become one entry at its end, with their count over all
// nodes, so that repetition cannot fill the trail. Nodes that share a database count in the minute that the first has begun.

import type { Draft } from '#audit/entry.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { Periodic } from '#runtime/periodic.ts';
import { MINUTE_MS, type Minutes } from './minutes.ts';

const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });
const MAX_KEYS = 10_000;

interface Minute {
  /** With the draft, that of the node which has begun first. */
  begun: number;
  draft: Draft;
  count: number;
  /** Settled when the minute is that of all nodes. */
  beginning: Promise<void>;
}

interface CountedEntriesDeps {
  readonly minutes: Minutes;
  /** The one that nodes share. */
  readonly clock: Clock;
}

/** Attempts in the current minute. */
interface MinuteCount {
  readonly count: number;
  /** Milliseconds until the end of the minute. */
  readonly remainingMs: number;
}

export class CountedEntries {
  readonly #deps: CountedEntriesDeps;
  readonly #sweeping: Disposable;
  /** Ordered by the start of the minute. */
  readonly #minutes = new BoundedMap<string, Minute>({
    max: MAX_KEYS,
    evicts: 'oldest',
    evicted: (minute, key) => void this.#end(key, minute).catch(() => undefined),
  });

  constructor(deps: CountedEntriesDeps) {
    this.#deps = deps;
    this.#sweeping = new Periodic({
      clock: deps.clock,
      period: SWEEP_PERIOD,
      work: () => {
        // The store reports its failures itself.
        return Promise.all(this.#sweep(MINUTE_MS).map((written) => written.catch(() => undefined)));
      },
    });
  }

  currentMinute(key: string): MinuteCount {
    const now = this.#deps.clock.nowMs();
    const minute = this.#minutes.get(key);
    if (!minute || now - minute.begun >= MINUTE_MS) return { count: 0, remainingMs: MINUTE_MS };
    return { count: minute.count, remainingMs: minute.begun + MINUTE_MS - now };
  }

  /** Counts one more attempt of `key`. `draft` is the entry of the first in a minute. */
  add(key: string, draft: Draft): void {
    const now = this.#deps.clock.nowMs();
    const known = this.#minutes.get(key);
    if (known && now - known.begun < MINUTE_MS) {
      known.count += 1;
      return;
    }
    if (known) this.#end(key, known).catch(() => undefined);
    const minute: Minute = { begun: now, draft, count: 1, beginning: Promise.resolve() };
    this.#minutes.set(key, minute);
    minute.beginning = this.#begin(key, minute);
  }

  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await Promise.all(this.#sweep(0));
  }

  #sweep(age: number): Promise<void>[] {
    const now = this.#deps.clock.nowMs();
    const ended = [...this.#minutes].filter(([, minute]) => now - minute.begun >= age);
    return ended.map(([key, minute]) => this.#end(key, minute));
  }

  /** Nobody waits for it but the end of the minute. A minute whose beginning fails is that of this node alone. */
  async #begin(key: string, minute: Minute): Promise<void> {
    const { begun, draft } = minute;
    const others = await this.#deps.minutes.begin(key, { begun, draft }).catch(() => undefined);
    if (!others) return;
    minute.begun = others.begun;
    minute.draft = others.draft;
  }

  /** A minute that cannot be written now is kept for the next attempt. */
  async #end(key: string, minute: Minute): Promise<void> {
    this.#minutes.delete(key);
    try {
      await this.#write(key, minute);
    } catch (error) {
      if (!this.#minutes.has(key) && this.#minutes.size < MAX_KEYS) this.#minutes.set(key, minute);
      throw error;
    }
  }

  async #write(key: string, minute: Minute): Promise<void> {
    await minute.beginning;
    const { begun, draft, count } = minute;
    await this.#deps.minutes.write(key, { begun, draft, count });
  }
}
