// Wires the loggers that collect by themselves, starts them, and declares the metrics of all loggers.

import type { Defects } from '#app/defects.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import { Collectors } from '#collectors/collectors.ts';
import { Certificates } from '#collectors/configs/certificates.ts';
import { CollectFolders } from '#collectors/configs/folders.ts';
import { OpenFiles } from '#collectors/files/open-files.ts';
import type { FailureAlarms } from '#detection/alarms/failure-alarms.ts';
import type { CountObserver, LoggerCounters, LogSource } from '#ingest/counts/counters.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface CollectorDeps {
  readonly store: Store;
  readonly engine: LogStore;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
  readonly clock: Clock;
  readonly failures: FailureAlarms;
  readonly nodes: Nodes;
}

export async function openCollectors(config: Config, deps: CollectorDeps, instruments: Defects): Promise<Collectors> {
  const folders = new CollectFolders(config['collect-folders']);
  const collectors = new Collectors({
    ...deps,
    node: deps.nodes.own,
    zone: config['time-zone'],
    folders,
    openFiles: new OpenFiles(folders),
    certificates: new Certificates({ keysFolder: config.keys, own: ownCertificate(config) }),
    limits: {
      lineBytes: config['line-limit'],
      queueBytes: config['collect-queue'],
      connections: config['collect-connections'],
    },
    state: (logger, failure) =>
      failure === undefined ? deps.failures.loggerWorks(logger) : deps.failures.loggerFailed(logger, failure),
    failed: (error) => instruments.defect(error, 'collectors'),
  });
  await collectors.changed();
  return collectors;
}

function ownCertificate({ 'tls-cert': cert, 'tls-key': key }: Config) {
  return cert !== undefined && key !== undefined ? { cert, key } : undefined;
}

export function loggerInstruments(metrics: Metrics): CountObserver {
  const pairOf = (what: string, about: string) => ({
    records: metrics.counter(
      `vigil_${what}_records_total`,
      `Records ${about}, by sender protocol, and where metrics are closed by logger and table.`,
    ),
    bytes: metrics.counter(
      `vigil_${what}_bytes_total`,
      `Bytes of records ${about}, by sender protocol, and where metrics are closed by logger and table.`,
    ),
  });
  const ingested = pairOf('ingested', 'stored in tables');
  const lost = {
    rejected: pairOf('rejected', 'pushed and rejected, because they are not logs'),
    dropped: pairOf('dropped', 'dropped, because they arrived faster than they could be stored'),
  };
  const malformed = metrics.counter(
    'vigil_malformed_records_total',
    'Records stored as text, because they are too long or their parser cannot read them; where metrics are closed by logger.',
  );
  const repaired = metrics.counter(
    'vigil_repaired_records_total',
    'Records stored with characters replaced or names cut, because they cannot be stored as sent, by protocol and table.',
  );
  const refused = metrics.counter(
    'vigil_refused_handshakes_total',
    'TLS connections that ended before their handshake, or whose certificate was refused; where metrics are closed by logger.',
  );
  const held = metrics.counter(
    'vigil_files_held_back_total',
    'Followed files that began like another one beside them and were held back for up to five minutes as possible copies; where metrics are closed by logger.',
  );
  const add = ({ records, bytes }: ReturnType<typeof pairOf>, source: LogSource, count: number, size: number) => {
    if (count === 0) return;
    records.add(source, count);
    bytes.add(source, size);
  };
  return {
    counted(source, { logs, volume, drops, dropVolume }, reason) {
      add(ingested, source, logs, volume);
      add(lost[reason], source, drops, dropVolume);
    },
    malformed: (logger, logs) => malformed.add({ logger }, logs),
    repaired: (source, logs) => repaired.add(source, logs),
    fileHeldBack: (logger) => held.add({ logger }),
    handshakeRefused: (logger) => refused.add({ logger }),
  };
}
