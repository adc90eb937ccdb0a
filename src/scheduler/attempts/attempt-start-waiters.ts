// Requests that wait for the start of a manual attempt, to return the id of its query.

export class AttemptStartWaiters {
  readonly #waiters = new Map<string, (queryId: number | undefined) => void>();

  /** The id of the query; undefined when the attempt does not start. */
  waitFor(attemptGuid: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#waiters.set(attemptGuid, resolve);
    return promise;
  }

  notify(attemptGuid: string, queryId: number | undefined): void {
    this.#waiters.get(attemptGuid)?.(queryId);
    this.#waiters.delete(attemptGuid);
  }

  /** No further attempt starts. */
  close(): void {
    for (const attemptGuid of [...this.#waiters.keys()]) this.notify(attemptGuid, undefined);
  }
}
