// Open event streams per account. A stream holds a connection for as long as its client likes, so their number is
// limited.

import { tooManyRequests } from '#contract/errors.ts';

const RETRY_AFTER_SECONDS = 1;

export class EventStreams {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Acquires a slot for one stream; disposing it twice is harmless. Throws when the limit is reached. */
  acquire(userGuid: string): Disposable {
    const open = this.#open.get(userGuid) ?? 0;
    if (open >= this.#max) throw tooManyRequests(RETRY_AFTER_SECONDS);
    this.#open.set(userGuid, open + 1);
    let isFree = false;
    return {
      [Symbol.dispose]: () => {
        if (isFree) return;
        isFree = true;
        const left = (this.#open.get(userGuid) ?? 1) - 1;
        if (left === 0) this.#open.delete(userGuid);
        else this.#open.set(userGuid, left);
      },
    };
  }
}
