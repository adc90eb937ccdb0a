// Wires the way of logs into tables: who reads them, and who takes them in.

import type { LogEngine } from '#engines/engine.ts';
import { Intake, type Watcher } from '#ingest/intake.ts';
import { Readers } from '#ingest/reader.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { instruments } from './instruments.ts';

interface IngestNeeds {
  readonly engine: LogEngine;
  readonly store: Store;
  readonly clock: Clock;
  readonly watcher: Watcher;
}

export function openIngest(config: Config, needs: IngestNeeds, measured: ReturnType<typeof instruments>) {
  const intake = new Intake({
    ...needs,
    exceeded: (log) => measured.modelStepsExceeded(log),
    failed: (error) => measured.defect(error, 'intake'),
  });
  const readers = new Readers({ ...needs, zone: config['time-zone'], ruleSteps: config['rule-steps'] });
  return { intake, readers };
}
