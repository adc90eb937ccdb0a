// Opens the log engine on ClickHouse for tests, also in processes of their own that are killed.

import { join } from 'node:path';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { BothStores } from '#logs/stores/both/both-stores.ts';
import { SharedColumns } from '#logs/stores/both/shared-columns.ts';
import { openClickhouseEngine } from '#logs/stores/clickhouse/clickhouse-store.ts';
import type { ServerAddress } from '#logs/stores/clickhouse/server/address.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { openDuckdbEngine } from '#logs/stores/embedded/embedded-store.ts';
import type { Store } from '#store/store.ts';
import { Vault } from '#vault/vault.ts';
import { clusterOn } from './cluster-on.ts';

const LIMITS = {
  memoryBytes: 2 ** 32,
  diskBytes: 2 ** 32,
  accountMemoryBytes: 2 ** 30,
  accountDiskBytes: 2 ** 30,
};

interface OpenDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly folder: string;
  /** One for each shard. */
  readonly addresses: readonly ServerAddress[];
  failed(error: unknown): void;
}

/** As the service opens it: beside the embedded engine, which finishes the rows of queries. */
export async function openClickhouse({ store, clock, folder, addresses, failed }: OpenDeps): Promise<LogStore> {
  const common = {
    store,
    clock,
    zone: 'Asia/Seoul',
    failed,
    maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
  };
  const columns = new SharedColumns(store);
  const clickhouse = await openClickhouseEngine({
    ...common,
    cluster: await clusterOn(store),
    registryOf: columns.of,
    renewedRegistry: columns.renewed,
    statements: { settings: {}, deadline: Temporal.Duration.from({ minutes: 1 }), maxBytes: 2 ** 32 },
    statementMemoryBytes: 2 ** 30,
    clients: addresses.map((address) => new ClickhouseClient({ clock: systemClock, address })),
    groupFor: Temporal.Duration.from({ milliseconds: 0 }),
    abandonFor: Temporal.Duration.from({ minutes: 1 }),
  });
  const embedded = await openDuckdbEngine({
    ...common,
    dataFolder: folder,
    limits: LIMITS,
    readsNameless: true,
    registryOf: columns.of,
    vault: (await Vault.open(store, { keys: join(folder, 'keys') })).vault,
    memory: { folder: '/dev/shm', cacheBytes: 2 ** 24 },
    sealing: { rows: 1000, after: Temporal.Duration.from({ minutes: 5 }) },
    denseAfterDays: 30,
    rewriteAfterDays: 7,
    unopened: (_, refusal) => failed(refusal),
    onCorruption: failed,
  });
  const engine = new BothStores({
    store,
    clock,
    columns,
    embedded,
    clickhouse,
    failed,
    spillFolder: join(folder, 'spill'),
  });
  await engine.moves.resume();
  return engine;
}

interface Access {
  readonly origin: string;
  readonly user: string;
  readonly password: string;
}

export function addressOf({ origin, user, password }: Access, database: string): ServerAddress {
  const { hostname: host, port, protocol } = new URL(origin);
  return { host, port: Number(port), isTls: protocol === 'https:', user, password, database };
}
