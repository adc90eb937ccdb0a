// Servers that join the log store while the service runs.

import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { answered } from '#logs/stores/clickhouse/server/failures.ts';
import { tableSpecs } from '#logs/stores/embedded/storage/catalog.ts';
import { ColumnRegistry } from '#logs/stores/shared/columns.ts';
import type { Store } from '#store/store.ts';
import { knownTables, openCatalog } from './catalog.ts';
import { layOut } from './laid-out-tables.ts';
import type { Shards } from './shards.ts';

/** Gives a server that is not among the present ones: one that another node has added, or, where this one may add it, a new one. */
export type AddShard = (
  present: readonly ClickhouseClient[],
  options: { readonly mayAdd: boolean },
) => Promise<AddedShard | undefined>;

/** A server that may be used. */
export interface AddedShard {
  readonly client: ClickhouseClient;
  /** From then on it is missed where it is gone. */
  remember(): Promise<void>;
}

interface ShardGrowthDeps {
  readonly shards: Shards;
  readonly store: Store;
  readonly addedShard?: AddShard;
}

/** All tables are there before records are: nothing else asks whether a shard has a table. */
export async function addShards(
  { shards, store, addedShard }: ShardGrowthDeps,
  options: { readonly mayAdd: boolean },
): Promise<void> {
  for (;;) {
    const added = addedShard && (await answered(addedShard(shards.all, options)));
    if (!added) return;
    try {
      const ids = new Set(await knownTables(store));
      for (const spec of (await tableSpecs(store)).filter(({ id }) => ids.has(id))) {
        const catalog = await openCatalog(store, spec);
        if (catalog) await answered(layOut(added.client, spec, new ColumnRegistry(catalog.learnt).columns));
      }
      await added.remember();
    } catch (error) {
      await added.client.close();
      throw error;
    }
    shards.add(added.client);
  }
}
