// The shards of a cluster, as one of its servers lists them.

import { UsageError } from '#kernel/usage-error.ts';
import type { ClickhouseClient } from './client.ts';

/** The host of each shard. Throws a UsageError for a cluster that cannot be used. */
export async function clusterHosts(client: ClickhouseClient, cluster: string): Promise<readonly string[]> {
  const rows = await client.rows(
    'select shard_num, host_name from system.clusters where cluster = {cluster:String} order by shard_num, replica_num',
    { params: { cluster } },
  );
  if (rows.length === 0) throw new UsageError('log-store-no-cluster', { cluster, host: client.name });
  const shards = Map.groupBy(rows, ([shard]) => Number(shard));
  for (const [shard, { length }] of shards) {
    // An insert would be acknowledged by one replica, and read from another that does not have it yet.
    if (length > 1) throw new UsageError('log-store-replicated', { cluster, shard: String(shard) });
  }
  return rows.map(([, host]) => String(host));
}
