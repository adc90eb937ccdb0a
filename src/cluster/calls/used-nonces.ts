// Nonces of verified headers, remembered for as long as a header is valid: each is accepted once. A stranger cannot fill
// this memory, because a nonce is added only behind a valid signature.

import { VALID_MS } from './signed-header.ts';

export class UsedNonces {
  /** Times of expiry, which rise in the order of insertion except for the differences of clocks. */
  readonly #expiries = new Map<string, number>();

  /** False for a nonce that was used before. `now` and `time` are milliseconds of the database's clock. */
  use(nonce: string, time: number, now: number): boolean {
    for (const [old, expiry] of this.#expiries) {
      if (expiry > now) break;
      this.#expiries.delete(old);
    }
    if (this.#expiries.has(nonce)) return false;
    this.#expiries.set(nonce, Math.max(time, now) + VALID_MS);
    return true;
  }
}
