// Log records for tests, put into a table without any logger: the service is stopped meanwhile.

import { systemClock } from '#kernel/time/clock.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { shapeOf } from '#logs/shape.ts';
import { openDuckdbEngine } from '#logs/stores/embedded/embedded-store.ts';
import { openStore } from '#store/store.ts';
import { Vault } from '#vault/vault.ts';
import type { Service } from './service.ts';

/** One record for each of `times`, which are ISO texts. */
export async function storeRecords(service: Service, table: string, times: readonly string[]): Promise<void> {
  await service.stop();
  const { data, database = data, 'time-zone': zone } = service.config;
  const store = await openStore(database, { groupCommitted: () => undefined, storeFailed: rethrow });
  const engine = await openDuckdbEngine({
    store,
    vault: (await Vault.open(store, service.config)).vault,
    memory: { folder: service.config['memory-folder'], cacheBytes: service.config['memory-cache'] },
    limits: { memoryBytes: 2 ** 30, diskBytes: 2 ** 30, accountMemoryBytes: 2 ** 30, accountDiskBytes: 2 ** 30 },
    onCorruption: rethrow,
    unopened: rethrow,
    clock: systemClock,
    zone,
    dataFolder: data,
    maintenancePeriod: Temporal.Duration.from({ seconds: 10 }),
    sealing: { rows: 100_000, after: Temporal.Duration.from({ minutes: 5 }) },
    denseAfterDays: 0,
    rewriteAfterDays: 0,
    failed: rethrow,
  });
  const [spec] = await store.reader.all('select id, name, layout, compression from log_tables where name = ?', [table]);
  const records = times.map((text, number) => ({
    time: Temporal.Instant.from(text).epochMilliseconds,
    shape: shapeOf({ number }),
    text: JSON.stringify({ number }),
  }));
  // The columns are those of a spec.
  await engine.append(spec as unknown as TableSpec, records);
  await engine.close();
  await store.close();
  await service.restart();
}

function rethrow(error: unknown): void {
  throw error;
}
