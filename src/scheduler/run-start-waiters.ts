// Those who wait for a run to begin: by hand somebody wants the id of its query.

export class RunStartWaiters {
  readonly #waiters = new Map<string, (queryId: number | undefined) => void>();

  /** The id of its query; undefined when there is nothing to run after all. */
  waitFor(runGuid: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#waiters.set(runGuid, resolve);
    return promise;
  }

  notify(runGuid: string, queryId: number | undefined): void {
    this.#waiters.get(runGuid)?.(queryId);
    this.#waiters.delete(runGuid);
  }

  /** Nothing begins any more. */
  close(): void {
    for (const runGuid of [...this.#waiters.keys()]) this.notify(runGuid, undefined);
  }
}
