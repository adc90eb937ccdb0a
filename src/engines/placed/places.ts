// Where the records of each table are, by the catalog in the metadata store: a table on ClickHouse has a row there.

import { knownTables } from '#engines/clickhouse/storage/catalog.ts';
import type { Place } from '#engines/engine.ts';
import type { Store } from '#store/store.ts';

export class Places {
  readonly #store: Store;
  readonly #known = new Map<number, Place>();

  constructor(store: Store) {
    this.#store = store;
  }

  async of(tableId: number): Promise<Place> {
    const known = this.#known.get(tableId);
    if (known) return known;
    return (await this.ofAll([tableId])).get(tableId) ?? 'embedded';
  }

  async ofAll(tableIds: readonly number[]): Promise<ReadonlyMap<number, Place>> {
    if (tableIds.some((id) => !this.#known.has(id))) {
      const outside = new Set(await knownTables(this.#store));
      for (const id of tableIds) this.#known.set(id, outside.has(id) ? 'clickhouse' : 'embedded');
    }
    return new Map(tableIds.map((id) => [id, this.#known.get(id) ?? 'embedded']));
  }
}
