// Records that are to go: those of abandoned uploads, of days and of dropped tables. Each has a row in the catalog before
// the first of them goes, and keeps it until every shard has confirmed that they are gone.

import { answered } from '#engines/clickhouse/server/failures.ts';
import type { Store } from '#store/store.ts';
import {
  abandonedUploads,
  droppedTables,
  forgetRemoval,
  forgetTable,
  forgetUpload,
  type HiddenRows,
  hiddenRows,
  type UploadKey,
} from './catalog.ts';
import { tableName } from './layout.ts';
import type { Shards } from './shards.ts';

interface CleaningDeps {
  readonly store: Store;
  readonly shards: Shards;
}

/** Large parts are written anew without the deleted rows. */
const DELETE_TIME = Temporal.Duration.from({ minutes: 10 });
const SYNC = { mutations_sync: 2 } as const;

export class Cleaning {
  readonly #deps: CleaningDeps;

  constructor(deps: CleaningDeps) {
    this.#deps = deps;
  }

  /** Of uploads that were abandoned. */
  async deleteUploads(): Promise<void> {
    const failures: unknown[] = [];
    // One that fails is tried again in the next round, and keeps none from being deleted.
    for (const upload of await abandonedUploads(this.#deps.store))
      await this.deleteUpload(upload).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** The hidden days of a table. Nothing may be inserted meanwhile. */
  async removeDays(tableId: number): Promise<void> {
    const hidden = await hiddenRows(this.#deps.store, [tableId]);
    for (const removal of hidden.get(tableId)?.removals ?? []) await this.#removeDay(tableId, removal);
  }

  /** Tables whose rows are gone. */
  dropped(): Promise<readonly number[]> {
    return droppedTables(this.#deps.store);
  }

  async dropTable(id: number): Promise<void> {
    const { store, shards } = this.#deps;
    await answered(shards.each((client) => client.execute(`drop table if exists ${tableName(id)} sync`)));
    await forgetTable(store, id);
  }

  /** A delete waits for room and for merges, so none is begun where nothing was inserted. */
  async deleteUpload(key: UploadKey): Promise<void> {
    const [name, params] = [tableName(key.tableId), { upload: key.upload }];
    const inserted = `select 1 from ${name} where _upload = {upload:UInt64} limit 1`;
    if ((await answered(this.#deps.shards.rows(inserted, { params }))).length > 0)
      await this.#delete(`alter table ${name} delete where _upload = {upload:UInt64}`, params);
    await forgetUpload(this.#deps.store, key);
  }

  /** The whole day at once, unless records have arrived in it since: these stay. */
  async #removeDay(tableId: number, removal: HiddenRows['removals'][number]): Promise<void> {
    const name = tableName(tableId);
    const later = `select 1 from ${name} where _day = {day:UInt32} and _arrived > {arrived:Int64} limit 1`;
    const { day, arrived } = removal;
    const found = await answered(this.#deps.shards.rows(later, { params: { day, arrived } }));
    if (found.length === 0) await this.#delete(`alter table ${name} drop partition ${day}`, {});
    else
      await this.#delete(`alter table ${name} delete where _day = {day:UInt32} and _arrived <= {arrived:Int64}`, {
        day,
        arrived,
      });
    await forgetRemoval(this.#deps.store, tableId, removal);
  }

  async #delete(statement: string, params: Readonly<Record<string, number>>): Promise<void> {
    const options = { params, settings: SYNC, deadline: DELETE_TIME };
    await answered(this.#deps.shards.each((client) => client.execute(statement, options)));
  }
}
