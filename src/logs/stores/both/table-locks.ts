// Locks of tables between those that read where records are and a move that changes it.

import { SharedLock } from '#runtime/shared-lock.ts';

export class TableLocks {
  readonly #locks = new Map<number, SharedLock>();

  /** No day of these is switched until it is disposed of. In the order of ids: no two wait for each other. */
  async share(tableIds: readonly number[]): Promise<Disposable> {
    using held = new DisposableStack();
    for (const id of [...new Set(tableIds)].sort((one, other) => one - other)) held.use(await this.#of(id).share());
    return held.move();
  }

  /** Nothing reads where the records of the table are until it is disposed of. */
  alone(tableId: number): Promise<Disposable> {
    return this.#of(tableId).alone();
  }

  #of(tableId: number): SharedLock {
    const known = this.#locks.get(tableId) ?? new SharedLock();
    this.#locks.set(tableId, known);
    return known;
  }
}
