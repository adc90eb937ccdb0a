// Opens the log engine on ClickHouse for tests, also in processes of their own that are killed.

import { openClickhouseEngine } from '#engines/clickhouse/engine.ts';
import type { ServerAddress } from '#engines/clickhouse/server/address.ts';
import { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import type { LogEngine } from '#engines/engine.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Store } from '#store/store.ts';

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

export const openClickhouse = ({ store, clock, folder, addresses, failed }: OpenDeps): Promise<LogEngine> =>
  openClickhouseEngine({
    ...{
      store,
      clock,
      zone: 'Asia/Seoul',
      dataFolder: folder,
      memoryFolder: '/dev/shm',
      limits: LIMITS,
      node: 'vigil',
    },
    statements: { settings: {}, deadline: Temporal.Duration.from({ minutes: 1 }), maxBytes: 2 ** 32 },
    statementMemoryBytes: 2 ** 30,
    clients: addresses.map((address) => new ClickhouseClient({ clock: systemClock, address })),
    groupFor: Temporal.Duration.from({ milliseconds: 0 }),
    maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
    failed,
  });

interface Access {
  readonly origin: string;
  readonly user: string;
  readonly password: string;
}

export function addressOf({ origin, user, password }: Access, database: string): ServerAddress {
  const { hostname: host, port, protocol } = new URL(origin);
  return { host, port: Number(port), isTls: protocol === 'https:', user, password, database };
}
