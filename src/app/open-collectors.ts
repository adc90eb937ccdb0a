// Wires the loggers that collect by themselves, and begins to follow them.

import { Collectors } from '#collectors/collectors.ts';
import { OpenFiles } from '#collectors/files/open-files.ts';
import { CollectFolders } from '#collectors/folders.ts';
import { NODE_NAME } from '#contract/values.ts';
import type { FailureAlarms } from '#detection/failure-alarms.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reader.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { instruments } from './instruments.ts';

interface CollectorNeeds {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
  readonly clock: Clock;
  readonly failures: FailureAlarms;
}

export async function openCollectors(
  config: Config,
  needs: CollectorNeeds,
  measured: ReturnType<typeof instruments>,
): Promise<Collectors> {
  const folders = new CollectFolders(config['collect-folders']);
  const collectors = new Collectors({
    ...needs,
    node: NODE_NAME,
    zone: config['time-zone'],
    folders,
    openFiles: new OpenFiles(folders),
    limits: {
      lineBytes: config['line-limit'],
      queueBytes: config['collect-queue'],
      connections: config['collect-connections'],
    },
    state: (logger, failure) =>
      failure === undefined ? needs.failures.loggerWorks(logger) : needs.failures.loggerFailed(logger, failure),
    failed: (error) => measured.defect(error, 'collectors'),
  });
  await collectors.changed();
  return collectors;
}
