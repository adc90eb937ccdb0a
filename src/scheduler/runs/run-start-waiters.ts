// Requests that wait for the start of a manual run, to return the id of its query.

export class RunStartWaiters {
  readonly #waiters = new Map<string, (queryId: number | undefined) => void>();

  /** The id of the query; undefined when the run does not start. */
  waitFor(runGuid: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#waiters.set(runGuid, resolve);
    return promise;
  }

  notify(runGuid: string, queryId: number | undefined): void {
    this.#waiters.get(runGuid)?.(queryId);
    this.#waiters.delete(runGuid);
  }

  /** No further run starts. */
  close(): void {
    for (const runGuid of [...this.#waiters.keys()]) this.notify(runGuid, undefined);
  }
}
