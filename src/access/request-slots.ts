// Requests per account that hold a connection although no work is done for them, so their number is limited.

import { tooManyRequests } from '#contract/errors.ts';

const RETRY_AFTER_SECONDS = 1;

export class RequestSlots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Acquires a slot for one request; disposing it twice is harmless. Throws when the limit is reached. */
  acquire(userGuid: string): Disposable {
    const taken = this.#taken.get(userGuid) ?? 0;
    if (taken >= this.#max) throw tooManyRequests(RETRY_AFTER_SECONDS);
    this.#taken.set(userGuid, taken + 1);
    let isFree = false;
    return {
      [Symbol.dispose]: () => {
        if (isFree) return;
        isFree = true;
        const left = (this.#taken.get(userGuid) ?? 1) - 1;
        if (left === 0) this.#taken.delete(userGuid);
        else this.#taken.set(userGuid, left);
      },
    };
  }
}
