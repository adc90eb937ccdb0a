// Ids of queries and subqueries. They increase across restarts and nodes: a node reserves a block of ids in the metadata
// store at a time, under its name, and a restart drops the rest of its block.

import { Rounds } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';

const BLOCK = 1000;
/** Ids are signed 32-bit numbers; they start again after the last whole block. */
const LAST = 2 ** 31 - 1;

/** Asked for with every request for a query of another node. */
const OWNER = 'select node from query_id_blocks where first_id = ?';

export interface QueryIdsDeps {
  readonly store: Store;
  /** Name of this node. */
  readonly node: string;
  /** Kept queries: their ids are skipped, and their blocks stay this node's. */
  readonly kept: { has(id: number): boolean; ids(): Iterable<number> };
}

export class QueryIds {
  readonly #deps: QueryIdsDeps;
  #next = 0;
  #end = 0;
  readonly #reservations = new Rounds(() => this.#reserve());

  constructor(deps: QueryIdsDeps) {
    this.#deps = deps;
  }

  async next(): Promise<number> {
    for (;;) {
      if (this.#next >= this.#end) await this.#takeBlock();
      else if (this.#deps.kept.has(this.#next)) this.#next += 1;
      else return this.#next++;
    }
  }

  /** The node that has given the id to a query; undefined where no node keeps queries of that block. */
  async ownerOf(id: number): Promise<string | undefined> {
    const { store, node } = this.#deps;
    if (this.#deps.kept.has(id) || (id >= this.#end - BLOCK && id < this.#end)) return node;
    if (id < 1 || id > LAST) return undefined;
    const [row] = await store.reader.all(OWNER, [firstOf(id)], { isPrepared: true });
    return row && String(row.node);
  }

  /** Concurrent callers share one reservation. */
  #takeBlock(): Promise<void> {
    return this.#reservations.join();
  }

  async #reserve(): Promise<void> {
    const { store, node } = this.#deps;
    // Ids of the last block may belong to queries that are accepted and not kept yet.
    const kept = new Set([...Iterator.from(this.#deps.kept.ids()).map(firstOf), this.#end - BLOCK]);
    const from = await store.write(async (db) => {
      const { next_id } = await db.selectFrom('query_ids').select('next_id').executeTakeFirstOrThrow();
      const first = next_id + BLOCK - 1 > LAST ? 1 : next_id;
      await db
        .updateTable('query_ids')
        .set({ next_id: first + BLOCK })
        .execute();
      await releaseBlocks(db, node, kept);
      await db.deleteFrom('query_id_blocks').where('first_id', '=', first).execute();
      await db.insertInto('query_id_blocks').values({ first_id: first, node }).execute();
      return first;
    });
    this.#next = from;
    this.#end = from + BLOCK;
  }
}

/** The first id of the block of an id. */
const firstOf = (id: number): number => id - ((id - 1) % BLOCK);

/** Blocks without a kept query name no owner any more, so the rows of a node do not grow. */
async function releaseBlocks(db: Db, node: string, kept: ReadonlySet<number>): Promise<void> {
  const rows = await db.selectFrom('query_id_blocks').select('first_id').where('node', '=', node).execute();
  for (const { first_id } of rows) {
    if (!kept.has(first_id)) await db.deleteFrom('query_id_blocks').where('first_id', '=', first_id).execute();
  }
}
