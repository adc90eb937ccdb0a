// Places that many want: so many in all, and so many of one account. Whenever one is free it goes to the account that has
// the fewest, and of its requests to the one that came first, so nobody is kept out by a flood.

export interface Places {
  readonly perAccount: number;
  readonly inAll: number;
  /** Whether who has none gets one, however many others have: nobody waits for others alone then. */
  readonly isOneSure?: boolean;
}

interface Waiting {
  readonly account: string;
  admit(): void;
}

export class FairSlots {
  readonly #most: Places;
  readonly #taken = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #inAll = 0;

  constructor(most: Places) {
    this.#most = most;
  }

  get taken(): number {
    return this.#inAll;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Of those who wait. */
  waitingOf(account: string): number {
    return this.#waiting.values().reduce((count, waiting) => count + (waiting.account === account ? 1 : 0), 0);
  }

  /** How many are free, for anybody and for one account. */
  free(account: string): { readonly inAll: number; readonly own: number } {
    const inAll = Math.max(0, this.#most.inAll - this.#inAll);
    return { inAll, own: Math.min(inAll, Math.max(0, this.#most.perAccount - this.#takenBy(account))) };
  }

  /** Resolves to a place, to be disposed of; rejects with the reason of `signal`. */
  async enter(account: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiting: Waiting = { account, admit: () => resolve(this.#placeOf(account)) };
    const leave = () => {
      if (this.#waiting.delete(waiting)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    this.#waiting.add(waiting);
    this.#admit();
    return await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** A place at once, where one is free; with `isSure` in any case. */
  take(account: string, { isSure = false } = {}): Disposable | undefined {
    if (!isSure && !this.#hasRoom(this.#takenBy(account))) return undefined;
    return this.#placeOf(account);
  }

  #placeOf(account: string): Disposable {
    this.#taken.set(account, this.#takenBy(account) + 1);
    this.#inAll += 1;
    return { [Symbol.dispose]: () => this.#left(account) };
  }

  #left(account: string): void {
    const others = this.#takenBy(account) - 1;
    if (others === 0) this.#taken.delete(account);
    else this.#taken.set(account, others);
    this.#inAll -= 1;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#nextOne(); next; next = this.#nextOne()) {
      this.#waiting.delete(next);
      next.admit();
    }
  }

  #nextOne(): Waiting | undefined {
    let chosen: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      const taken = this.#takenBy(waiting.account);
      if (taken >= fewest || !this.#hasRoom(taken)) continue;
      chosen = waiting;
      fewest = taken;
    }
    return chosen;
  }

  /** For an account that has so many. */
  #hasRoom(taken: number): boolean {
    const { perAccount, inAll, isOneSure = false } = this.#most;
    return taken < perAccount && (this.#inAll < inAll || (isOneSure && taken === 0));
  }

  #takenBy(account: string): number {
    return this.#taken.get(account) ?? 0;
  }
}
