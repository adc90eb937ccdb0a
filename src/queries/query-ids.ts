// Ids of queries and subqueries. They increase across restarts and nodes: a node reserves a block of ids in the metadata
// store at a time, and a restart drops the rest of its block.

import type { Store } from '#store/store.ts';

const BLOCK = 1000;
/** Ids are signed 32-bit numbers; they start again after the last whole block. */
const LAST = 2 ** 31 - 1;

export class QueryIds {
  readonly #store: Store;
  /** Whether an id belongs to a kept query: such ids are skipped. */
  readonly #isKept: (id: number) => boolean;
  #next = 0;
  #end = 0;
  #taking: Promise<void> | undefined;

  constructor(store: Store, isKept: (id: number) => boolean) {
    this.#store = store;
    this.#isKept = isKept;
  }

  async next(): Promise<number> {
    for (;;) {
      if (this.#next >= this.#end) await this.#takeBlock();
      else if (this.#isKept(this.#next)) this.#next += 1;
      else return this.#next++;
    }
  }

  /** Concurrent callers share one reservation. */
  async #takeBlock(): Promise<void> {
    this.#taking ??= this.#reserve().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  async #reserve(): Promise<void> {
    const from = await this.#store.write(async (db) => {
      const { next_id } = await db.selectFrom('query_ids').select('next_id').executeTakeFirstOrThrow();
      const first = next_id + BLOCK - 1 > LAST ? 1 : next_id;
      await db
        .updateTable('query_ids')
        .set({ next_id: first + BLOCK })
        .execute();
      return first;
    });
    this.#next = from;
    this.#end = from + BLOCK;
  }
}
