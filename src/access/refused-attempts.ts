// Failed authentications, by address and minute. Beyond the limit an address hears 429 in place of 401, and each
// minute of refusals becomes one audit entry at its end, so a flood of bad keys cannot flood the trail.

import { NOBODY } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import { type Refusal, tooManyRequests, unauthorized } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';

const MINUTE_MS = 60_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ADDRESSES_WATCHED = 10_000;

interface Minute {
  readonly begun: number;
  attempts: number;
  refused: number;
}

export class RefusedAttempts {
  readonly #trail: Trail;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #sweeping: Disposable;
  /** In the order in which the minutes began. */
  readonly #minutes = new Map<string, Minute>();

  constructor(parts: { trail: Trail; clock: Clock; limit: number }) {
    this.#trail = parts.trail;
    this.#clock = parts.clock;
    this.#limit = parts.limit;
    this.#sweeping = parts.clock.every(SWEEP_PERIOD, () => void this.#sweep(MINUTE_MS));
  }

  /** Counts one failed attempt and gives the answer to it. */
  refuse(remoteIp: string): Refusal {
    const now = this.#clock.now().epochMilliseconds;
    const minute = this.#minuteOf(remoteIp, now);
    minute.attempts += 1;
    if (minute.attempts > this.#limit) {
      return tooManyRequests(Math.max(1, Math.ceil((minute.begun + MINUTE_MS - now) / 1000)));
    }
    minute.refused += 1;
    return unauthorized();
  }

  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await Promise.all(this.#sweep(0));
  }

  /** What could not be written down is counted on; the store tells of its failure itself. */
  #putBack(remoteIp: string, { begun, refused }: Minute): void {
    const minute = this.#minutes.get(remoteIp) ?? { begun, attempts: 0, refused: 0 };
    minute.refused += refused;
    this.#minutes.set(remoteIp, minute);
  }

  #minuteOf(remoteIp: string, now: number): Minute {
    const known = this.#minutes.get(remoteIp);
    if (known && now - known.begun < MINUTE_MS) return known;
    if (known) this.#end(remoteIp, known);
    const [oldest] = this.#minutes;
    if (oldest && this.#minutes.size >= ADDRESSES_WATCHED) this.#end(...oldest);
    const minute = { begun: now, attempts: 0, refused: 0 };
    this.#minutes.set(remoteIp, minute);
    return minute;
  }

  #sweep(age: number): Promise<void>[] {
    const now = this.#clock.now().epochMilliseconds;
    const ended = [...this.#minutes].filter(([, minute]) => now - minute.begun >= age);
    return ended.map(([remoteIp, minute]) => this.#end(remoteIp, minute));
  }

  async #end(remoteIp: string, minute: Minute): Promise<void> {
    this.#minutes.delete(remoteIp);
    const { refused } = minute;
    const written = this.#trail.record({
      user_name: NOBODY,
      remote_ip: remoteIp,
      module: 'auth',
      method: 'refuse',
      msg_params: { count: refused },
      error: unauthorized().message,
    });
    await written.catch(() => this.#putBack(remoteIp, minute));
  }
}
