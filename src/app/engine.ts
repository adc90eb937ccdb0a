// Wires the log engine: its limits and its reports of damaged files.

import { openDuckdbEngine } from '#engines/duckdb/engine.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { Instruments } from './instruments.ts';

interface EngineDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
}

export function openEngine(config: Config, deps: EngineDeps, instruments: Instruments): Promise<LogEngine> {
  return openDuckdbEngine({
    ...deps,
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
    denseAfterDays: config['dense-after'],
    failed: (error) => instruments.defect(error, 'maintenance'),
    onCorruption: (found) => instruments.damaged(found),
    unopened: (table, refusal) => instruments.unopened(table, refusal.message),
  });
}
