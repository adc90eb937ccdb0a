// Work that runs one after another, in the order in which it was handed over.

interface SerialOptions {
  /**
   * True if work that follows failed work must not run, because it builds on it: it rejects with the same error. By default failed
   * work does not stop the work after it.
   */
  readonly stopsAtFailure?: boolean;
}

export class Serial {
  readonly #stopsAtFailure: boolean;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ stopsAtFailure = false }: SerialOptions = {}) {
    this.#stopsAtFailure = stopsAtFailure;
  }

  /** Settles with `work`, which begins once all earlier work has ended. */
  run<T>(work: () => T | PromiseLike<T>): Promise<T> {
    const done = this.#last.then(work);
    const settled = done.catch(() => undefined);
    this.#last = this.#stopsAtFailure ? done : settled;
    return done;
  }

  /** Resolves when all work handed over so far has ended, failed or not. */
  async ended(): Promise<void> {
    await this.#last.catch(() => undefined);
  }
}

/** One after another for each key; keys do not wait for each other. */
export class SerialByKey<K> {
  readonly #byKey = new Map<K, { readonly serial: Serial; unfinished: number }>();

  /** As `Serial.run`, among the work of the key. */
  async run<T>(key: K, work: () => T | PromiseLike<T>): Promise<T> {
    const entry = this.#byKey.get(key) ?? { serial: new Serial(), unfinished: 0 };
    this.#byKey.set(key, entry);
    entry.unfinished += 1;
    try {
      return await entry.serial.run(work);
    } finally {
      entry.unfinished -= 1;
      if (entry.unfinished === 0) this.#byKey.delete(key);
    }
  }

  /** Keys with work that has not ended. */
  get size(): number {
    return this.#byKey.size;
  }
}
