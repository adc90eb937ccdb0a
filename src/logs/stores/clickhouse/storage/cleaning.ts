// Records that are to go: those of abandoned uploads, of days and of dropped tables. Each has a row in the catalog before
// the first of them goes, and keeps it until every shard has confirmed that they are gone.

import type { Cluster } from '#cluster/cluster.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { answered, StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { droppedTables, forgetTable } from './catalog.ts';
import { tableName } from './layout.ts';
import { carryOut, endRemoval, type Removal } from './removals.ts';
import type { Shards } from './shards.ts';
import { type AbandonedUpload, abandonedUploads, forgetUpload, keepHidden } from './upload-catalog.ts';

interface CleaningDeps {
  readonly store: Store;
  readonly shards: Shards;
  readonly cluster: Pick<Cluster, 'self'>;
}

/** Large parts are written anew without the deleted rows. */
const DELETE_TIME = Temporal.Duration.from({ minutes: 10 });
const SYNC = { mutations_sync: 2 } as const;

export class Cleaning {
  readonly #deps: CleaningDeps;

  constructor(deps: CleaningDeps) {
    this.#deps = deps;
  }

  /** Of uploads of this node that were abandoned, and of all where no other node cleans. */
  async deleteUploads({ ofAllNodes }: { readonly ofAllNodes: boolean }): Promise<void> {
    const failures: unknown[] = [];
    // One that fails is tried again in the next round, and keeps none from being deleted.
    for (const upload of await abandonedUploads(this.#deps.store)) {
      if (ofAllNodes || this.#isOwn(upload)) await this.deleteUpload(upload).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async removeDays(removals: readonly Removal[]): Promise<void> {
    for (const removal of removals) {
      await carryOut(this.#deps.store, removal);
      await this.#removeDay(removal);
      await endRemoval(this.#deps.store, removal);
    }
  }

  /** Tables whose rows are gone. */
  dropped(): Promise<readonly number[]> {
    return droppedTables(this.#deps.store);
  }

  async dropTable(id: number, isStill?: (db: Db) => Promise<boolean>): Promise<void> {
    const { store, shards } = this.#deps;
    await answered(shards.each((client) => client.execute(`drop table if exists ${tableName(id)} sync`)));
    await forgetTable(store, id, isStill);
  }

  /** A delete waits for room and for merges, so none is begun where nothing was inserted. */
  async deleteUpload(upload: AbandonedUpload): Promise<void> {
    const name = tableName(upload.tableId);
    const params = { upload: upload.upload };
    const inserted = `select 1 from ${name} where _upload = {upload:UInt64} limit 1`;
    if ((await answered(this.#deps.shards.rows(inserted, { params }))).length > 0)
      await this.#delete(`alter table ${name} delete where _upload = {upload:UInt64}`, params);
    const done = this.#isOwn(upload) ? forgetUpload : keepHidden;
    await done(this.#deps.store, upload);
  }

  #isOwn({ node }: AbandonedUpload): boolean {
    return node === null || node === this.#deps.cluster.self;
  }

  /**
   * Whole parts at once, those that have records of later arrivals row by row. Never the partition: other nodes insert meanwhile,
   * and what they have inserted by then is in parts of its own, or in merged ones that are no longer there by their old names.
   */
  async #removeDay({ tableId, day, arrived }: Removal): Promise<void> {
    const name = tableName(tableId);
    const all = '_day = {day:UInt32} and _arrived <= {arrived:Int64}';
    const params = { day, arrived };
    const parts = `select _part from ${name} where _day = {day:UInt32} group by _part having max(_arrived) <= {arrived:Int64}`;
    await answered(
      this.#deps.shards.each(async (client) => {
        for (const [part] of await client.rows(parts, { params })) await dropPart(client, name, String(part));
      }),
    );
    const left = await answered(this.#deps.shards.rows(`select 1 from ${name} where ${all} limit 1`, { params }));
    if (left.length > 0) await this.#delete(`alter table ${name} delete where ${all}`, params);
  }

  async #delete(statement: string, params: Readonly<Record<string, number>>): Promise<void> {
    const options = { params, settings: SYNC, deadline: DELETE_TIME };
    await answered(this.#deps.shards.each((client) => client.execute(statement, options)));
  }
}

/** The part was merged or removed meanwhile. */
const NO_SUCH_PART = 232;

async function dropPart(client: ClickhouseClient, table: string, part: string): Promise<void> {
  try {
    // The server has made the name: letters, digits and underscores.
    await client.execute(`alter table ${table} drop part '${part}'`, { deadline: DELETE_TIME });
  } catch (error) {
    if (!(error instanceof StatementFailed) || error.code !== NO_SUCH_PART) throw error;
  }
}
