// Wires the log engine: its limits, and who hears of damage.

import { openDuckdbEngine } from '#engines/duckdb/engine.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { instruments } from './instruments.ts';

interface EngineNeeds {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
}

export function openEngine(
  config: Config,
  needs: EngineNeeds,
  measured: ReturnType<typeof instruments>,
): Promise<LogEngine> {
  return openDuckdbEngine({
    ...needs,
    zone: config['time-zone'],
    dataFolder: config.data,
    memory: { folder: config['memory-folder'], cacheBytes: config['memory-cache'] },
    limits: {
      memoryBytes: config['query-memory'],
      diskBytes: config['query-disk'],
      accountMemoryBytes: config['query-memory-per-account'],
      accountDiskBytes: config['query-disk-per-account'],
    },
    maintenancePeriod: Temporal.Duration.from({ seconds: config['maintenance-period'] }),
    sealing: { rows: config['segment-rows'], after: Temporal.Duration.from({ seconds: config['seal-after'] }) },
    failed: (error) => measured.defect(error, 'maintenance'),
    onCorruption: (found) => measured.damaged(found),
    unopened: (table, refusal) => measured.unopened(table, refusal.message),
  });
}
