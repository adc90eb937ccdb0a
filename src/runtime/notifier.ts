// Wait and notify: waiters sleep until the next notification. A notification is not kept, so a waiter checks its condition
// before it waits and again after.

export class Notifier {
  readonly #waiters = new Set<() => void>();

  /** Resolves at the next `notify`, or once `until` is aborted. */
  async wait(until?: AbortSignal): Promise<void> {
    if (until?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#waiters.add(wake);
    until?.addEventListener('abort', wake);
    await promise;
    until?.removeEventListener('abort', wake);
    this.#waiters.delete(wake);
  }

  notify(): void {
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }
}
