// The opened parts of a service. They are closed in reverse, one after another, and a part that fails does not keep the
// others open.

import { StoreUnreachable } from '#store/unreachable.ts';

interface Part {
  close(): Promise<unknown> | unknown;
}

export class OpenParts {
  readonly #stack = new AsyncDisposableStack();
  readonly #failures: unknown[] = [];
  readonly #unreachable: (error: unknown) => void;

  /** `unreachable` is called with each error of a database that cannot be reached: a stop goes on without it. */
  constructor(unreachable: (error: unknown) => void) {
    this.#unreachable = unreachable;
  }

  /** Each is closed before all that were added earlier. */
  add(...parts: readonly Part[]): void {
    for (const part of parts) this.#stack.defer(() => this.#close(part));
  }

  /** Closes all parts, then throws the first error that is not an unreachable database. */
  async close(): Promise<void> {
    await this.#stack.disposeAsync();
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #close(part: Part): Promise<void> {
    try {
      await part.close();
    } catch (error) {
      if (isUnreachable(error)) this.#unreachable(error);
      else this.#failures.push(error);
    }
  }
}

/** A part that closes several resources reports all of their errors as one SuppressedError. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof SuppressedError
    ? isUnreachable(error.error) && isUnreachable(error.suppressed)
    : error instanceof StoreUnreachable;
