// The counts of loggers, and the files of the data folder that keep them until they are in the metadata store.

import type { Instruments } from '#app/instruments.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { LoggerCounters } from '#ingest/counts/counters.ts';
import { UnwrittenCounts } from '#ingest/counts/unwritten-counts.ts';
import type { Config } from '#settings/index.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { Store } from '#store/store.ts';

interface CountersDeps {
  readonly store: Store;
  readonly cluster: Cluster;
}

export async function openCounters(
  config: Pick<Config, 'data'>,
  { store, cluster }: CountersDeps,
  instruments: Instruments,
): Promise<LoggerCounters> {
  const unwritten = await UnwrittenCounts.open({
    store,
    dataFolder: config.data,
    failed(error) {
      // Logs themselves are refused then, which is reported where it happens.
      if (!isOutOfSpace(error)) instruments.defect(error, 'counts');
    },
  });
  return new LoggerCounters({
    store,
    clock: cluster.clock,
    observer: instruments,
    numbers: cluster.numbers,
    unwritten,
  });
}
