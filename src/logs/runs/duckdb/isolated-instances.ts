// DuckDB instances for the queries of one account alone. DuckDB counts memory and files on disk by instance, and fails the
// statement that asks for the last of it. A run that failed so is tried again here, where it competes with queries of its
// own account only.

import { join } from 'node:path';
import { Notifier } from '#runtime/notifier.ts';
import { type Instance, openInstance } from './instance.ts';

/** Accounts that have an instance at the same time; others wait. */
export const MAX_ACCOUNTS = 2;

interface IsolatedInstancesOptions {
  /** Whether the rows of tables are in files without a name. */
  readonly readsNameless?: boolean;
  /** Parent of the spill folders. */
  readonly folder: string;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

interface Lent {
  readonly instance: Promise<Instance>;
  users: number;
}

export class IsolatedInstances {
  readonly #options: IsolatedInstancesOptions;
  /** By account. */
  readonly #lent = new Map<string, Lent>();
  /** Kept for the next account: the tables of a run go with its session, and closing an instance takes long. */
  readonly #free: Promise<Instance>[] = [];
  readonly #released = new Notifier();
  #made = 0;

  constructor(options: IsolatedInstancesOptions) {
    this.#options = options;
  }

  /** The instance of an account, until its last borrower disposes of it. Rejects with the reason of `signal`. */
  async borrow(account: string, signal: AbortSignal): Promise<Disposable & { readonly instance: Instance }> {
    while (!this.#lent.has(account) && this.#lent.size >= MAX_ACCOUNTS) {
      await this.#released.wait(signal);
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    const lent = this.#lent.get(account) ?? { instance: this.#free.pop() ?? this.#opened(), users: 0 };
    this.#lent.set(account, lent);
    lent.users += 1;
    try {
      return { instance: await lent.instance, [Symbol.dispose]: () => this.#leave(account, lent, lent.instance) };
    } catch (error) {
      this.#leave(account, lent);
      throw error;
    }
  }

  /** All borrowed instances must have been given back. */
  async close(): Promise<void> {
    for (const instance of this.#free.splice(0)) await (await instance).end();
  }

  #opened(): Promise<Instance> {
    this.#made += 1;
    const { folder, ...options } = this.#options;
    return openInstance({ ...options, spillFolder: join(folder, `apart-${this.#made}`) });
  }

  #leave(account: string, lent: Lent, reusable?: Promise<Instance>): void {
    lent.users -= 1;
    if (lent.users > 0) return;
    this.#lent.delete(account);
    if (reusable) this.#free.push(reusable);
    this.#released.notify();
  }
}
