// Requests per account that hold a connection although no work is done for them, so their number is limited.

import { tooManyRequests } from '#contract/errors.ts';
import { Slots } from '#runtime/slots.ts';

const RETRY_AFTER_SECONDS = 1;

export class RequestSlots {
  readonly #slots: Slots;

  constructor(max: number) {
    this.#slots = new Slots({ total: Number.POSITIVE_INFINITY, perKey: max });
  }

  /** Acquires a slot for one request. Throws when the limit is reached. */
  acquire(userGuid: string): Disposable {
    const slot = this.#slots.tryAcquire(userGuid);
    if (!slot) throw tooManyRequests(RETRY_AFTER_SECONDS);
    return slot;
  }
}
