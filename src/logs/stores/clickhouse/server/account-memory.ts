// The memory that statements of one account may take together on a server: each is given a part of what is free, as its own limit
// there. Where too little is free, a statement waits for others of its account.

import { Notifier } from '#runtime/notifier.ts';

/** The first statement may take this part of the whole, the next the same part of the rest. */
const PART = 1 / 2;
/** Statements that would get less than this part of the whole wait. */
const MIN_PART = 1 / 32;

export interface MemoryShare extends Disposable {
  readonly bytes: number;
}

export class AccountMemory {
  readonly #maxBytes: number;
  /** Bytes given away, by account; accounts without statements are not listed. */
  readonly #given = new Map<string, number>();
  readonly #released = new Notifier();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Rejects with the reason of `signal`. */
  async take(account: string, signal: AbortSignal): Promise<MemoryShare> {
    signal.throwIfAborted();
    const least = Math.floor(this.#maxBytes * MIN_PART);
    while (this.#freeOf(account) < least) {
      await this.#released.wait(signal);
      signal.throwIfAborted();
    }
    const bytes = Math.max(least, Math.floor(this.#freeOf(account) * PART));
    this.#given.set(account, (this.#given.get(account) ?? 0) + bytes);
    let isReleased = false;
    return {
      bytes,
      [Symbol.dispose]: () => {
        if (!isReleased) this.#release(account, bytes);
        isReleased = true;
      },
    };
  }

  #freeOf(account: string): number {
    return this.#maxBytes - (this.#given.get(account) ?? 0);
  }

  #release(account: string, bytes: number): void {
    const left = (this.#given.get(account) ?? 0) - bytes;
    if (left > 0) this.#given.set(account, left);
    else this.#given.delete(account);
    this.#released.notify();
  }
}
