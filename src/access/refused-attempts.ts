// Failed authentications, by address and minute. Beyond the limit an address is answered 429 instead of 401, and each
// minute of refusals becomes one audit entry at its end, so a flood of bad keys cannot flood the trail.

import type { CountedEntries } from '#audit/counted-entries.ts';
import { NO_USER } from '#audit/entry.ts';
import { type ApiError, tooManyRequests, unauthorized } from '#contract/errors.ts';

export class RefusedAttempts {
  readonly #entries: CountedEntries;
  readonly #limit: number;

  constructor(deps: { entries: CountedEntries; limit: number }) {
    this.#entries = deps.entries;
    this.#limit = deps.limit;
  }

  /** Counts one failed attempt and returns the answer to it. */
  refuse(remoteIp: string): ApiError {
    const key = `auth ${remoteIp}`;
    const { count, remainingMs: left } = this.#entries.currentMinute(key);
    if (count >= this.#limit) return tooManyRequests(Math.max(1, Math.ceil(left / 1000)));
    this.#entries.add(key, {
      user_name: NO_USER,
      remote_ip: remoteIp,
      module: 'auth',
      method: 'refuse',
      error: unauthorized().message,
    });
    return unauthorized();
  }
}
