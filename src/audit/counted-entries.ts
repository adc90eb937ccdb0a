// Audit entries of repeatable attempts: equal attempts within a minute become one entry at its end, with their count over all
// nodes, so that repetition cannot fill the trail.

import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#store/store.ts';
import type { Draft } from './entry.ts';
import { countId, type SharedCounts } from './shared-counts.ts';

const MINUTE_MS = 60_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });
const MAX_KEYS = 10_000;

interface Minute {
  /** With the draft, that of the node which has begun first. */
  begun: number;
  draft: Draft;
  count: number;
  joining: Promise<void>;
}

interface CountedEntriesDeps {
  readonly store: Store;
  readonly counts: SharedCounts;
  /** The one that nodes share. */
  readonly clock: Clock;
  /** Tells these attempts from others with the same keys. */
  readonly kind: string;
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
  readonly #minutes = new Map<string, Minute>();

  constructor(deps: CountedEntriesDeps) {
    this.#deps = deps;
    this.#sweeping = deps.clock.every(SWEEP_PERIOD, () => {
      // The store reports its failures itself.
      for (const written of this.#sweep(MINUTE_MS)) written.catch(() => undefined);
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
    const [oldest] = this.#minutes;
    if (oldest && this.#minutes.size >= MAX_KEYS) this.#end(...oldest).catch(() => undefined);
    const minute = { begun: now, draft, count: 1, joining: Promise.resolve() };
    this.#minutes.set(key, minute);
    if (this.#deps.store.isShared) minute.joining = this.#join(key, minute);
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

  /** Nobody waits for it but the end of the minute. */
  async #join(key: string, minute: Minute): Promise<void> {
    const { store, counts, kind } = this.#deps;
    const { begun, draft } = minute;
    const own = { begun, until: begun + MINUTE_MS, draft };
    const others = await store.write((db) => counts.join(db, countId(kind, key), own)).catch(() => undefined);
    if (!others) return;
    minute.begun = others.begun;
    minute.draft = others.draft ?? draft;
  }

  /** A minute that cannot be written now is kept for the next attempt. */
  async #end(key: string, minute: Minute): Promise<void> {
    const { store, counts, kind } = this.#deps;
    this.#minutes.delete(key);
    try {
      await minute.joining;
      await store.write((db) => counts.leave(db, countId(kind, key), { counted: minute }));
    } catch (error) {
      if (!this.#minutes.has(key) && this.#minutes.size < MAX_KEYS) this.#minutes.set(key, minute);
      throw error;
    }
  }
}
