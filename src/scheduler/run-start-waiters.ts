// Those who wait for a run to begin: by hand somebody wants the id of its query.

export class Beginnings {
  readonly #awaited = new Map<string, (queryId: number | undefined) => void>();

  /** The id of its query; undefined when there is nothing to run after all. */
  of(runGuid: string): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#awaited.set(runGuid, resolve);
    return promise;
  }

  tell(runGuid: string, queryId: number | undefined): void {
    this.#awaited.get(runGuid)?.(queryId);
    this.#awaited.delete(runGuid);
  }

  /** Nothing begins any more. */
  close(): void {
    for (const runGuid of [...this.#awaited.keys()]) this.tell(runGuid, undefined);
  }
}
