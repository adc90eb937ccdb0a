// How many at once: slots limited in total and per key (an account, mostly). A free slot goes to the key that holds the fewest,
// and among its requests to the oldest, so that a flood of requests of one key does not starve the others. Without keys
// requests are served in the order in which they came.

export interface SlotLimits {
  readonly total: number;
  /** `total` unless set. */
  readonly perKey?: number;
  /** Guarantees one slot to a key that holds none, beyond `total` if need be. */
  readonly guaranteesOne?: boolean;
  /** Requests beyond them are refused with SlotsFull instead of waiting. */
  readonly maxWaiting?: number;
  readonly maxWaitingPerKey?: number;
}

interface SlotRequest {
  readonly key?: string;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly key: string;
  /** Older requests have smaller numbers. */
  readonly number: number;
  admit(): void;
}

/** Too many wait already. */
export class SlotsFull extends Error {}

export class Slots {
  readonly #limits: Required<SlotLimits>;
  readonly #held = new Map<string, number>();
  /** Those of a key, oldest first. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #inUse = 0;
  #lastNumber = 0;

  constructor({
    total,
    perKey = total,
    guaranteesOne = false,
    maxWaiting = Number.POSITIVE_INFINITY,
    maxWaitingPerKey = maxWaiting,
  }: SlotLimits) {
    this.#limits = { total, perKey, guaranteesOne, maxWaiting, maxWaitingPerKey };
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(key: string): number {
    return this.#waiters.get(key)?.size ?? 0;
  }

  /** Keys that hold a slot or wait for one. */
  get keys(): number {
    return new Set([...this.#held.keys(), ...this.#waiters.keys()]).size;
  }

  /** Free slots in total, and those of them that the key may take. */
  free(key: string): { readonly total: number; readonly own: number } {
    const total = Math.max(0, this.#limits.total - this.#inUse);
    return { total, own: Math.min(total, Math.max(0, this.#limits.perKey - this.#heldBy(key))) };
  }

  /** Resolves to a slot, which is released by disposing it. Rejects with the reason of `signal`, or with SlotsFull. */
  async acquire({ key = '', signal }: SlotRequest = {}): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#waiting === 0 && this.#mayHold(this.#heldBy(key))) return this.#hold(key);
    const { maxWaiting, maxWaitingPerKey } = this.#limits;
    if (this.#waiting >= maxWaiting || this.waitingOf(key) >= maxWaitingPerKey) throw new SlotsFull();
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiter = this.#add(key, resolve);
    const giveUp = () => {
      if (this.#remove(waiter)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp);
    this.#admitAll();
    return await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** A slot if one is free; with `force` in any case. */
  tryAcquire(key = '', { force = false } = {}): Disposable | undefined {
    if (!force && !this.#mayHold(this.#heldBy(key))) return undefined;
    return this.#hold(key);
  }

  #add(key: string, resolve: (slot: Disposable) => void): Waiter {
    this.#lastNumber += 1;
    const waiter = { key, number: this.#lastNumber, admit: () => resolve(this.#hold(key)) };
    const ofKey = this.#waiters.get(key) ?? new Set();
    this.#waiters.set(key, ofKey.add(waiter));
    this.#waiting += 1;
    return waiter;
  }

  #remove(waiter: Waiter): boolean {
    const ofKey = this.#waiters.get(waiter.key);
    if (!ofKey?.delete(waiter)) return false;
    if (ofKey.size === 0) this.#waiters.delete(waiter.key);
    this.#waiting -= 1;
    return true;
  }

  /** Each slot is released once, however often it is disposed of. */
  #hold(key: string): Disposable {
    this.#held.set(key, this.#heldBy(key) + 1);
    this.#inUse += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(key);
        isHeld = false;
      },
    };
  }

  #release(key: string): void {
    const others = this.#heldBy(key) - 1;
    if (others === 0) this.#held.delete(key);
    else this.#held.set(key, others);
    this.#inUse -= 1;
    this.#admitAll();
  }

  #admitAll(): void {
    for (let next = this.#nextWaiter(); next; next = this.#nextWaiter()) {
      this.#remove(next);
      next.admit();
    }
  }

  #nextWaiter(): Waiter | undefined {
    let chosen: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [key, [oldest]] of this.#waiters) {
      const held = this.#heldBy(key);
      if (!oldest || held > fewest || !this.#mayHold(held)) continue;
      if (held === fewest && chosen && chosen.number < oldest.number) continue;
      chosen = oldest;
      fewest = held;
    }
    return chosen;
  }

  /** Whether a key that holds `held` slots may have one more. */
  #mayHold(held: number): boolean {
    const { perKey, total, guaranteesOne } = this.#limits;
    return held < perKey && (this.#inUse < total || (guaranteesOne && held === 0));
  }

  #heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }
}

/** The results of `work`, in the order of `items`. After a failure no further work begins. */
export async function mapLimit<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const slots = new Slots({ total: limit });
  const failing = new AbortController();
  const each = async (item: T) => {
    using _ = await slots.acquire({ signal: failing.signal });
    try {
      return await work(item);
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  };
  return await Promise.all(items.map(each));
}
