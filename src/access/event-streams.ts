// The event streams that accounts have open. Each holds a connection for as long as its client likes, so an account may
// have so many and no more.

import { tooManyRequests } from '#contract/errors.ts';

const RETRY_AFTER_SECONDS = 1;

export class EventStreams {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** A place for one stream, which is free again when it is disposed of, however often. Refuses when all are taken. */
  take(userGuid: string): Disposable {
    const open = this.#open.get(userGuid) ?? 0;
    if (open >= this.#most) throw tooManyRequests(RETRY_AFTER_SECONDS);
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
