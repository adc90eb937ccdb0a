// A fixed number of permits; waiters get one in the order in which they came.

interface Waiter {
  grant(): void;
}

export class Semaphore {
  readonly #waiters = new Set<Waiter>();
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Resolves to a permit, which is released by disposing it; rejects with the reason of `signal`. */
  async acquire(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#granted(signal);
    return { [Symbol.dispose]: () => this.#release() };
  }

  async #granted(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { grant: resolve };
    const giveUp = () => {
      if (this.#waiters.delete(waiter)) reject(signal?.reason);
    };
    this.#waiters.add(waiter);
    signal?.addEventListener('abort', giveUp);
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** The oldest waiter takes the permit over. */
  #release(): void {
    const [next] = this.#waiters;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiters.delete(next);
    next.grant();
  }
}
