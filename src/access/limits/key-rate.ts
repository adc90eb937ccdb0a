// An optional limit on requests per account, over all of its keys and all nodes: a token bucket of `burst` requests that refills
// at `rate` per second. What other nodes have answered is told once a second, so a limit may be exceeded by one second's requests.

import type { SharedNumbers } from '#cluster/numbers.ts';
import { tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';

export class KeyRate {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #burst: number;
  readonly #numbers: SharedNumbers;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** A rate of 0 means no limit. */
  constructor(clock: Clock, { rate, burst, numbers }: { rate: number; burst: number; numbers: SharedNumbers }) {
    this.#clock = clock;
    this.#rate = rate;
    this.#burst = Math.max(burst, 1);
    this.#numbers = numbers;
    numbers.on('requests', (userGuid, count) => this.#spend(userGuid, count));
  }

  take(userGuid: string): void {
    if (this.#rate === 0) return;
    const left = this.#left(userGuid);
    if (left < 1) throw tooManyRequests(Math.max(1, Math.ceil((1 - left) / this.#rate)));
    this.#spend(userGuid, 1);
    this.#numbers.add('requests', userGuid, 1);
  }

  #left(userGuid: string): number {
    const now = this.#clock.now().epochMilliseconds;
    const bucket = this.#buckets.get(userGuid) ?? { left: this.#burst, at: now };
    return Math.min(this.#burst, bucket.left + ((now - bucket.at) / 1000) * this.#rate);
  }

  /** What several nodes answered within one second is owed, up to a burst. */
  #spend(userGuid: string, count: number): void {
    const at = this.#clock.now().epochMilliseconds;
    this.#buckets.set(userGuid, { left: Math.max(-this.#burst, this.#left(userGuid) - count), at });
  }
}
