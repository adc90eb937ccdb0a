// DuckDB instances for the queries of one account alone. DuckDB counts memory and files on disk by instance, and fails
// whoever asks for the last of it; a run that failed for want of it is tried again here, where there is nobody else to
// blame and nobody else to harm.

import { join } from 'node:path';
import { type Duck, openDuck } from './instance.ts';

/** Accounts that have an instance at the same time; others wait. */
export const MOST_ACCOUNTS = 2;

export interface ApartParts {
  /** Has a folder for each instance. */
  readonly folder: string;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

interface Opened {
  readonly duck: Promise<Duck>;
  users: number;
}

export class ApartDucks {
  readonly #parts: ApartParts;
  readonly #opened = new Map<string, Opened>();
  readonly #waiting = new Set<() => void>();
  #made = 0;

  constructor(parts: ApartParts) {
    this.#parts = parts;
  }

  /** The instance of an account, closed when its last user has left. Rejects with the reason of `signal`. */
  async borrow(account: string, signal: AbortSignal): Promise<AsyncDisposable & { readonly duck: Duck }> {
    while (!this.#opened.has(account) && this.#opened.size >= MOST_ACCOUNTS) await this.#someoneLeft(signal);
    signal.throwIfAborted();
    const opened = this.#opened.get(account) ?? this.#open(account);
    opened.users += 1;
    const leave = () => this.#leave(account, opened);
    try {
      return { duck: await opened.duck, [Symbol.asyncDispose]: leave };
    } catch (error) {
      await leave();
      throw error;
    }
  }

  #open(account: string): Opened {
    this.#made += 1;
    const { folder, memoryBytes, diskBytes } = this.#parts;
    const spillFolder = join(folder, `apart-${this.#made}`);
    const opened = { duck: openDuck({ spillFolder, memoryBytes, diskBytes }), users: 0 };
    this.#opened.set(account, opened);
    return opened;
  }

  async #leave(account: string, opened: Opened): Promise<void> {
    opened.users -= 1;
    if (opened.users > 0) return;
    this.#opened.delete(account);
    const duck = await opened.duck.catch(() => undefined);
    await duck?.end();
    for (const next of this.#waiting) next();
  }

  async #someoneLeft(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve());
    await promise;
    this.#waiting.delete(resolve);
    signal.throwIfAborted();
  }
}
