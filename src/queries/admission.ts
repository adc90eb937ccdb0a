// Who may run: so many queries of one account and so many in all; the others wait. Whenever a place is free it goes to
// the account that has the fewest, and of its queries to the one that came first, so nobody is kept out by a flood.

export interface Places {
  readonly perAccount: number;
  readonly inAll: number;
}

interface Waiting {
  readonly account: string;
  admit(): void;
}

export class Admission {
  readonly #places: Places;
  readonly #running = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #inAll = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  get running(): number {
    return this.#inAll;
  }

  get waiting(): number {
    return this.#waiting.size;
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
