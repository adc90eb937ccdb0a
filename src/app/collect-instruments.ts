// What is measured of loggers.

import type { CountObserver } from '#ingest/counters.ts';
import type { Metrics } from '#kernel/metrics.ts';

/** What loggers have brought, by their guids. */
export function collectInstruments(metrics: Metrics): CountObserver {
  const pairOf = (what: string, about: string) => ({
    records: metrics.counter(`vigil_${what}_records_total`, `Records ${about}, by logger.`),
    bytes: metrics.counter(`vigil_${what}_bytes_total`, `Bytes of records ${about}, by logger.`),
  });
  const ingested = pairOf('ingested', 'that loggers have brought into their tables');
  const lost = {
    rejected: pairOf('rejected', 'that were pushed and are no logs'),
    dropped: pairOf('dropped', 'that arrived faster than they could be kept'),
  };
  const malformed = metrics.counter(
    'vigil_malformed_records_total',
    'Records that are kept as text, because they are too long or their parser cannot read them, by logger.',
  );
  const add = ({ records, bytes }: ReturnType<typeof pairOf>, logger: string, count: number, size: number) => {
    if (count === 0) return;
    records.add({ logger }, count);
    bytes.add({ logger }, size);
  };
  return {
    counted(logger, { logs, volume, drops, dropVolume }, reason) {
      add(ingested, logger, logs, volume);
      add(lost[reason], logger, drops, dropVolume);
    },
    malformed: (logger, logs) => malformed.add({ logger }, logs),
  };
}
