// Permits that accounts share: an account with many orders has half of them at most, the others wait without hindering those of
// other accounts.

import { Semaphore } from '#runtime/semaphore.ts';

interface AccountShare {
  readonly permits: Semaphore;
  /** Orders that have or want a permit: without any, the account is forgotten. */
  orders: number;
}

export class AccountPermits {
  readonly #all: Semaphore;
  readonly #share: number;
  readonly #accounts = new Map<string, AccountShare>();

  constructor(permits: number) {
    this.#all = new Semaphore(permits);
    this.#share = Math.max(1, Math.floor(permits / 2));
  }

  /** Accounts with orders. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /** Resolves to a permit, which is released by disposing it; rejects with the reason of `signal`. */
  async acquire(account: string, signal?: AbortSignal): Promise<Disposable> {
    using held = new DisposableStack();
    held.defer(this.#enter(account));
    const { permits } = this.#shareOf(account);
    held.use(await permits.acquire(signal));
    held.use(await this.#all.acquire(signal));
    return held.move();
  }

  #enter(account: string): () => void {
    const share = this.#shareOf(account);
    share.orders += 1;
    return () => {
      share.orders -= 1;
      if (share.orders === 0) this.#accounts.delete(account);
    };
  }

  #shareOf(account: string): AccountShare {
    const share = this.#accounts.get(account) ?? { permits: new Semaphore(this.#share), orders: 0 };
    this.#accounts.set(account, share);
    return share;
  }
}
