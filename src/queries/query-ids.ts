// Ids of queries and of their subqueries. They rise, over restarts and over all nodes: a node takes a block of them out of
// the metadata store at a time, so what a restart leaves of a block is never given.

import type { Store } from '#store/store.ts';

const BLOCK = 1000;
/** Ids have 32 bits with a sign; behind the last whole block they begin anew. */
const LAST = 2 ** 31 - 1;

export class QueryIds {
  readonly #store: Store;
  /** Whether an id still means a query: it is passed over then. */
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

  /** Whoever comes while a block is being taken waits for the same one. */
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
