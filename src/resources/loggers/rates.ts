// GET /loggers/:guid/rates

import { grantee } from '#access/table-rights.ts';
import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { arrayOf, int64, record, stamp } from '#http/shapes.ts';
import { guidOf } from '#http/shared-fields.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import { findLogger } from './store.ts';

const rate = record('LoggerRate', {
  time: stamp('Beginning of the minute.'),
  log_count: int64('Logs of the minute.', 1200),
  log_volume: int64('Bytes of these logs.', 240000),
  drop_count: int64('Logs of the minute that were not kept.', 0),
  drop_volume: int64('Bytes of the logs that were not kept.', 0),
});

export const rates = endpoint({
  title: 'Get logger rates',
  notes:
    'One entry for each minute of the last 24 hours, oldest first, none before `since`. The figures are kept in memory: ' +
    'counting begins anew with each start of the service.',
  method: 'GET',
  path: '/api/core/loggers/:guid/rates',
  access: 'MEMBER',
  params: { guid: guidOf('logger') },
  answer: record({
    since: stamp('Time from which logs are counted.'),
    rates: arrayOf(rate)('Minutes, oldest first; also those without logs.'),
  }),

  async run({ guid }, { db, caller, counters, zone }: Call & { counters: LoggerCounters; zone: string }) {
    if (!(await findLogger(db, guid, grantee(caller)))) throw notFound('logger', guid);
    const { sinceMs, minutes } = counters.ratesOf(guid);
    const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
    return {
      since: stampOf(sinceMs),
      rates: minutes.map(({ atMs, logs, volume, drops, dropVolume }) => ({
        time: stampOf(atMs),
        log_count: logs,
        log_volume: volume,
        drop_count: drops,
        drop_volume: dropVolume,
      })),
    };
  },
});
