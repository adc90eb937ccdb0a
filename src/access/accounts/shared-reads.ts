// Reads of the same thing that many callers ask for at the same time.

import { yieldToEventLoop } from '#runtime/event-loop.ts';

/** Callers of one iteration of the event loop share a read, which begins after the last of them has asked. */
export class SharedReads<T> {
  /** Reads that have not begun yet. */
  readonly #pending = new Map<string, Promise<T>>();

  read(name: string, read: () => Promise<T>): Promise<T> {
    const pending = this.#pending.get(name) ?? this.#readNext(name, read);
    this.#pending.set(name, pending);
    return pending;
  }

  async #readNext(name: string, read: () => Promise<T>): Promise<T> {
    await yieldToEventLoop();
    this.#pending.delete(name);
    return await read();
  }
}
