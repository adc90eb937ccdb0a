// Wires the databases and hosts that queries may reach.

import { Databases } from '#connections/databases/databases.ts';
import { SessionPool } from '#connections/databases/session-pool.ts';
import { hostList } from '#kernel/net/host-list.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';

interface ConnectionsDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
}

export function openConnections(config: Config, { store, vault, clock }: ConnectionsDeps) {
  const connectionHosts = {
    databases: hostList(config['database-hosts']),
    outbound: hostList(config['outbound-hosts']),
  };
  const sessionPool = new SessionPool({ hosts: connectionHosts.databases, vault, clock });
  const databases = new Databases({ store, pool: sessionPool, clock });
  return { connectionHosts, sessionPool, databases };
}
