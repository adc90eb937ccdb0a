// Who may run: so many queries of one account and so many in all; the others wait, and so many may wait. Whenever a place
// is free it goes to the account that has the fewest, and of its queries to the one that came first, so nobody is kept out
// by a flood.

import { tooManyRequests } from '#contract/errors.ts';

export interface Places {
  readonly perAccount: number;
  readonly inAll: number;
}

/** After so many seconds somebody who waits may have had a place. */
const RETRY_SECONDS = 1;

interface Waiting {
  readonly account: string;
  admit(): void;
}

export class Admission {
  readonly #places: Places;
  readonly #mostWaiting: Places;
  readonly #running = new Map<string, number>();
  /** Those that are still being looked at, by account: they will ask for a place soon. */
  readonly #coming = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #inAll = 0;

  constructor(places: Places, mostWaiting: Places) {
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  get running(): number {
    return this.#inAll;
  }

  get waiting(): number {
    return this.#waiting.size;
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
  async enter(account: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { account, admit: resolve };
    const leave = () => {
      if (this.#waiting.delete(waiting)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    this.#waiting.add(waiting);
    this.#admit();
    await promise.finally(() => signal.removeEventListener('abort', leave));
    return { [Symbol.dispose]: () => this.#left(account) };
  }

  #isFull(account: string): boolean {
    const free = Math.max(0, this.#places.inAll - this.#inAll);
    const ownFree = Math.min(free, Math.max(0, this.#places.perAccount - this.#runningOf(account)));
    const coming = this.#coming.values().reduce((total, count) => total + count, 0);
    const own = this.#waiting.values().filter((waiting) => waiting.account === account);
    return (
      this.#waiting.size + coming >= this.#mostWaiting.inAll + free ||
      own.reduce((count) => count + 1, this.#coming.get(account) ?? 0) >= this.#mostWaiting.perAccount + ownFree
    );
  }

  #left(account: string): void {
    const others = this.#runningOf(account) - 1;
    if (others === 0) this.#running.delete(account);
    else this.#running.set(account, others);
    this.#inAll -= 1;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#nextOne(); next; next = this.#nextOne()) {
      this.#waiting.delete(next);
      this.#running.set(next.account, this.#runningOf(next.account) + 1);
      this.#inAll += 1;
      next.admit();
    }
  }

  #nextOne(): Waiting | undefined {
    if (this.#inAll >= this.#places.inAll) return undefined;
    let chosen: Waiting | undefined;
    let fewest = this.#places.perAccount;
    for (const waiting of this.#waiting) {
      const running = this.#runningOf(waiting.account);
      if (running >= fewest) continue;
      chosen = waiting;
      fewest = running;
    }
    return chosen;
  }

  #runningOf(account: string): number {
    return this.#running.get(account) ?? 0;
  }
}
