// Wires the protocols of existing senders.

import type { Instruments } from '#app/instruments.ts';
import type { Trail } from '#audit/trail.ts';
import type { PushLimits } from '#ingest/decode/decode.ts';
import type { LineDecoder } from '#ingest/decode/line-decoder.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { KnownIds } from '#senders/ids/known-ids.ts';
import { SendersIntake } from '#senders/senders-intake.ts';
import { SenderTables } from '#senders/tables/sender-tables.ts';
import { SenderThreads } from '#senders/threads/sender-threads.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface SendersDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly engine: LogStore;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly lineDecoder: LineDecoder;
  readonly limits: PushLimits;
}

/** `threads` are to be closed with the service. */
export function openSenders(config: Config, deps: SendersDeps, instruments: Instruments) {
  const { clock } = deps;
  const mappings = config['senders-map'];
  const threads = new SenderThreads(deps.engine);
  const senderTables = new SenderTables(deps, {
    defaultTable: config['senders-table'],
    creates: config['senders-create'],
    mappings,
  });
  const senders = new SendersIntake({
    ...deps,
    zone: config['time-zone'],
    threads,
    tables: senderTables,
    knownIds: new KnownIds(clock, { windowMs: 1000 * config['senders-window'], maxIds: config['senders-ids'] }),
    mappings,
    counts: instruments,
    failed: (error) => instruments.defect(error, 'senders'),
  });
  return {
    threads,
    services: { senders, senderTables, elasticsearchVersion: config['senders-elasticsearch-version'] },
  };
}
