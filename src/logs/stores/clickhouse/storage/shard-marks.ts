// Marks of shards: each has a row that says whose records it holds and which shard it is, and the metadata store remembers all of
// them. A server that was emptied or replaced has no such row, whatever its name is.

import { newGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';
import { presentTables } from './laid-out-tables.ts';

/** The guid of a shard that has a mark, with its server. */
export interface MarkedShard {
  readonly client: ClickhouseClient;
  readonly guid: string | undefined;
}

const TABLE = 'vigil_shard';

/** Throws a UsageError where a shard is missed, or is of another installation. */
export async function checkShards(
  store: Store,
  clients: readonly ClickhouseClient[],
  installation: string,
): Promise<readonly MarkedShard[]> {
  const marked: MarkedShard[] = [];
  for (const client of clients) marked.push({ client, guid: await readMark(client, installation) });
  const present = new Set(marked.map(({ guid }) => guid));
  const known = await store.reader.all('select guid, name from clickhouse_shards order by name');
  const lost = known.find(({ guid }) => !present.has(String(guid)));
  if (lost) throw new UsageError('log-store-lost-shard', { shard: String(lost.name) });
  return marked;
}

/** Gives the mark of a server that is not among those in use, and whether it is a shard on record: another node may have added it. */
export async function checkAddedShard(
  store: Store,
  client: ClickhouseClient,
  installation: string,
): Promise<MarkedShard & { readonly isKnown: boolean }> {
  const guid = await readMark(client, installation);
  if (guid === undefined) {
    if ((await presentTables(client)).size > 0)
      throw new UsageError('log-store-foreign', { database: client.database, host: client.name });
    return { client, guid, isKnown: false };
  }
  const known = await store.reader.all('select 1 as one from clickhouse_shards where guid = ?', [guid]);
  return { client, guid, isKnown: known.length > 0 };
}

/** Gives their guids. Of an installation that is on record: otherwise a start that failed would leave marks that nothing owns. */
export async function rememberShards(
  store: Store,
  marked: readonly MarkedShard[],
  installation: string,
): Promise<ReadonlySet<string>> {
  const guids = new Set<string>();
  for (const { client, guid: known } of marked) {
    // Another name of the server may have been marked just now.
    const guid = known ?? (await readMark(client, installation)) ?? (await writeMark(client, installation));
    if (guids.has(guid)) throw new UsageError('log-store-twice', { host: client.name });
    guids.add(guid);
    const row = { guid, name: client.name };
    await store.write(async (unit) => {
      const inserting = withCatalog(unit).insertInto('clickhouse_shards').values(row);
      await inserting.onConflict((conflict) => conflict.column('guid').doUpdateSet({ name: row.name })).execute();
    });
  }
  return guids;
}

async function readMark(client: ClickhouseClient, installation: string): Promise<string | undefined> {
  const tables = await client.rows(
    'select 1 from system.tables where database = currentDatabase() and name = {table:String}',
    { params: { table: TABLE } },
  );
  if (tables.length === 0) return undefined;
  const [mark] = await client.rows(`select installation, guid from ${TABLE}`);
  if (mark && mark[0] !== installation) {
    throw new UsageError('log-store-foreign', { database: client.database, host: client.name });
  }
  return mark && String(mark[1]);
}

async function writeMark(client: ClickhouseClient, installation: string): Promise<string> {
  const guid = newGuid();
  await client.execute(`create table if not exists ${TABLE} (installation String, guid String)
    engine = MergeTree order by guid settings fsync_after_insert = 1, fsync_part_directory = 1`);
  const settings = { async_insert: 0 };
  // A guid has nothing to be quoted.
  await client.execute(`insert into ${TABLE} values ('${installation}', '${guid}')`, { settings });
  return guid;
}
