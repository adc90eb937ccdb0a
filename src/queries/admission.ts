// Who may run: so many queries of one account and so many in all; the others wait, and so many may wait.

import { tooManyRequests } from '#contract/errors.ts';
import { FairSlots, type SlotLimits } from '#kernel/fair-slots.ts';

/** After so many seconds somebody who waits may have had a place. */
const RETRY_SECONDS = 1;

export class Admission {
  readonly #places: FairSlots;
  readonly #mostWaiting: SlotLimits;
  /** Those that are still being looked at, by account: they will ask for a place soon. */
  readonly #coming = new Map<string, number>();

  constructor(places: SlotLimits, mostWaiting: SlotLimits) {
    this.#places = new FairSlots(places);
    this.#mostWaiting = mostWaiting;
  }

  get running(): number {
    return this.#places.inUse;
  }

  get waiting(): number {
    return this.#places.waiting;
  }

  /** For as long as it is not known whether a query will ask for a place; refuses one that could not even wait. */
  announce(account: string): Disposable {
    if (this.#isFull(account)) throw tooManyRequests(RETRY_SECONDS);
    this.#coming.set(account, (this.#coming.get(account) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const others = (this.#coming.get(account) ?? 1) - 1;
        if (others === 0) this.#coming.delete(account);
        else this.#coming.set(account, others);
      },
    };
  }

  /** Resolves to a place, to be disposed of; rejects with the reason of `signal`. */
  enter(account: string, signal: AbortSignal): Promise<Disposable> {
    return this.#places.acquire(account, signal);
  }

  #isFull(account: string): boolean {
    const { total: inAll, own } = this.#places.free(account);
    const coming = this.#coming.values().reduce((total, count) => total + count, 0);
    return (
      this.waiting + coming >= this.#mostWaiting.total + inAll ||
      this.#places.waitingOf(account) + (this.#coming.get(account) ?? 0) >= this.#mostWaiting.perAccount + own
    );
  }
}
