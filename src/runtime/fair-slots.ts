// Slots limited in total and per account. A free slot goes to the account that holds the fewest, and among its requests to
// the oldest, so that a flood of requests of one account does not starve the others.

export interface SlotLimits {
  readonly perAccount: number;
  readonly total: number;
  /** Guarantees one slot to an account that holds none, beyond `total` if need be. */
  readonly guaranteesOne?: boolean;
}

interface Waiter {
  readonly account: string;
  admit(): void;
}

export class FairSlots {
  readonly #limits: SlotLimits;
  readonly #held = new Map<string, number>();
  /** Oldest first. */
  readonly #waiters = new Set<Waiter>();
  #inUse = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  waitingOf(account: string): number {
    return this.#waiters.values().reduce((count, waiter) => count + (waiter.account === account ? 1 : 0), 0);
  }

  /** Free slots in total, and those of them that the account may take. */
  free(account: string): { readonly total: number; readonly own: number } {
    const total = Math.max(0, this.#limits.total - this.#inUse);
    return { total, own: Math.min(total, Math.max(0, this.#limits.perAccount - this.#heldBy(account))) };
  }

  /** Resolves to a slot, which is released by disposing it; rejects with the reason of `signal`. */
  async acquire(account: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#waiters.size === 0 && this.#mayHold(this.#heldBy(account))) return this.#hold(account);
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiter: Waiter = { account, admit: () => resolve(this.#hold(account)) };
    const giveUp = () => {
      if (this.#waiters.delete(waiter)) reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp);
    this.#waiters.add(waiter);
    this.#admitAll();
    return await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** A slot if one is free; with `force` in any case. */
  tryAcquire(account: string, { force = false } = {}): Disposable | undefined {
    if (!force && !this.#mayHold(this.#heldBy(account))) return undefined;
    return this.#hold(account);
  }

  #hold(account: string): Disposable {
    this.#held.set(account, this.#heldBy(account) + 1);
    this.#inUse += 1;
    return { [Symbol.dispose]: () => this.#release(account) };
  }

  #release(account: string): void {
    const others = this.#heldBy(account) - 1;
    if (others === 0) this.#held.delete(account);
    else this.#held.set(account, others);
    this.#inUse -= 1;
    this.#admitAll();
  }

  #admitAll(): void {
    for (let next = this.#nextWaiter(); next; next = this.#nextWaiter()) {
      this.#waiters.delete(next);
      next.admit();
    }
  }

  #nextWaiter(): Waiter | undefined {
    let chosen: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      const held = this.#heldBy(waiter.account);
      if (held >= fewest || !this.#mayHold(held)) continue;
      chosen = waiter;
      fewest = held;
    }
    return chosen;
  }

  /** Whether an account that holds `held` slots may have one more. */
  #mayHold(held: number): boolean {
    const { perAccount, total, guaranteesOne = false } = this.#limits;
    return held < perAccount && (this.#inUse < total || (guaranteesOne && held === 0));
  }

  #heldBy(account: string): number {
    return this.#held.get(account) ?? 0;
  }
}
