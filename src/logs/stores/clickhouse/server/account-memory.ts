// The memory that statements of one account may take together on a server: each is given a part of what is free, as its own limit
// there. Where too little is free, a statement waits for others of its account.

import { Budget } from '#runtime/budget.ts';
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
  readonly #budget: Budget;
  readonly #released = new Notifier();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#budget = new Budget({ total: Number.POSITIVE_INFINITY, perKey: maxBytes });
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
    const given = this.#budget.open(account);
    given.take(bytes);
    return {
      bytes,
      [Symbol.dispose]: () => {
        given[Symbol.dispose]();
        this.#released.notify();
      },
    };
  }

  #freeOf(account: string): number {
    return this.#maxBytes - this.#budget.amountOf(account);
  }
}
