// Failed authentications, by address and minute, over all nodes. Beyond the limit an address is answered 429 instead of 401, and
// each minute of refusals becomes one audit entry at its end, so a flood of bad keys cannot flood the trail. Nodes tell each other
// once a second, so a limit may be exceeded by what the others refuse within one second.

import type { CountedEntries } from '#audit/counts/counted-entries.ts';
import { NO_USER } from '#audit/entry.ts';
import type { SharedNumbers } from '#cluster/numbers.ts';
import { type ApiError, tooManyRequests, unauthorized } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

const MINUTE_MS = 60_000;
/** Addresses of other nodes. */
const MAX_ELSEWHERE = 10_000;

interface RefusedAttemptsDeps {
  readonly entries: CountedEntries;
  readonly limit: number;
  readonly clock: Clock;
  readonly numbers: SharedNumbers;
}

export class RefusedAttempts {
  readonly #entries: CountedEntries;
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #numbers: SharedNumbers;
  /** Counted by other nodes, by address; ordered by the start of the minute. */
  readonly #elsewhere = new BoundedMap<string, { readonly begun: number; count: number }>({
    max: MAX_ELSEWHERE,
    evicts: 'oldest',
  });

  constructor({ entries, limit, clock, numbers }: RefusedAttemptsDeps) {
    this.#entries = entries;
    this.#limit = limit;
    this.#clock = clock;
    this.#numbers = numbers;
    numbers.on('refused-keys', (remoteIp, count) => this.#add(remoteIp, count));
  }

  /** Counts one failed attempt and returns the answer to it. */
  refuse(remoteIp: string): ApiError {
    const own = this.#entries.currentMinute(remoteIp);
    const others = this.#countedElsewhere(remoteIp);
    const left = Math.max(own.count > 0 ? own.remainingMs : 0, others.remainingMs);
    if (own.count + others.count >= this.#limit) return tooManyRequests(Math.max(1, Math.ceil(left / 1000)));
    this.#numbers.add('refused-keys', remoteIp, 1);
    this.#entries.add(remoteIp, {
      user_name: NO_USER,
      remote_ip: remoteIp,
      module: 'auth',
      method: 'refuse',
      error: unauthorized().message,
    });
    return unauthorized();
  }

  #countedElsewhere(remoteIp: string): { readonly count: number; readonly remainingMs: number } {
    const minute = this.#elsewhere.get(remoteIp);
    const remainingMs = minute ? minute.begun + MINUTE_MS - this.#clock.nowMs() : 0;
    return minute && remainingMs > 0 ? { count: minute.count, remainingMs } : { count: 0, remainingMs: 0 };
  }

  #add(remoteIp: string, count: number): void {
    const known = this.#elsewhere.get(remoteIp);
    if (known && this.#countedElsewhere(remoteIp).count > 0) {
      known.count += count;
      return;
    }
    this.#elsewhere.delete(remoteIp);
    // What others count while a minute has begun here belongs to this minute.
    const own = this.#entries.currentMinute(remoteIp);
    this.#elsewhere.set(remoteIp, { begun: this.#clock.nowMs() + own.remainingMs - MINUTE_MS, count });
  }
}
