// An optional limit on requests per account, over all of its keys: a token bucket of `burst` requests that refills at
// `rate` per second.

import { tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';

export class KeyRate {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** A rate of 0 means no limit. */
  constructor(clock: Clock, { rate, burst }: { rate: number; burst: number }) {
    this.#clock = clock;
    this.#rate = rate;
    this.#burst = Math.max(burst, 1);
  }

  take(userGuid: string): void {
    if (this.#rate === 0) return;
    const now = this.#clock.now().epochMilliseconds;
    const bucket = this.#buckets.get(userGuid) ?? { left: this.#burst, at: now };
    const left = Math.min(this.#burst, bucket.left + ((now - bucket.at) / 1000) * this.#rate);
    if (left < 1) throw tooManyRequests(Math.max(1, Math.ceil((1 - left) / this.#rate)));
    this.#buckets.set(userGuid, { left: left - 1, at: now });
  }
}
