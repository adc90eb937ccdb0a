// GET /loggers/:guid/rates

import { grantee } from '#access/rights/table-rights.ts';
import { notFound } from '#contract/errors.ts';
import { fromStamp, toStamp } from '#contract/times.ts';
import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { MinuteCounts } from '#ingest/counts/logger-rates.ts';
import { arrayOf, int64, record, stamp, type TypeOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf, namesOfUnanswered, unanswered } from '#operations/shared-fields.ts';
import { findLogger } from './store.ts';

const rate = record('LoggerRate', {
  time: stamp('Beginning of the minute.'),
  log_count: int64('Logs of the minute.', 1200),
  log_volume: int64('Bytes of these logs.', 240000),
  drop_count: int64('Logs of the minute that were not kept.', 0),
  drop_volume: int64('Bytes of the logs that were not kept.', 0),
});

const loggerRates = record({
  since: stamp('Time from which logs are counted.'),
  rates: arrayOf(rate)('Minutes, oldest first; also those without logs.'),
  unanswered,
});

export const rates = endpoint({
  title: 'Get logger rates',
  notes:
    'One entry for each minute of the last 24 hours, oldest first, none before `since`. The figures are kept in memory: ' +
    'counting begins anew with each start of the service. The figures of all living nodes are added up; `unanswered` names the ' +
    'nodes that did not answer within 5 seconds.',
  method: 'GET',
  path: '/api/core/loggers/:guid/rates',
  access: 'MEMBER',
  params: { guid: guidOf('logger') },
  answer: loggerRates,

  async run({ guid }, { db, caller, counters, zone, askOthers }: Call & { counters: LoggerCounters; zone: string }) {
    if (!(await findLogger(db, guid, grantee(caller)))) throw notFound('logger', guid);
    const { sinceMs, minutes } = counters.ratesOf(guid);
    const { answers, unanswered: silent } = await askOthers({});
    const others = answers as readonly TypeOf<typeof loggerRates>[]; // Nodes answer in one shape.
    const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
    const sums = new Map(minutes.map(({ atMs, ...own }) => [atMs, figuresOf(own)]));
    for (const { time, ...theirs } of others.flatMap((other) => other.rates)) {
      sums.set(msOf(time), added(sums.get(msOf(time)) ?? NO_LOGS, theirs));
    }
    return {
      since: stampOf(Math.min(sinceMs, ...others.map(({ since }) => msOf(since)))),
      rates: [...sums].sort(([one], [other]) => one - other).map(([at, sum]) => ({ time: stampOf(at), ...sum })),
      ...namesOfUnanswered(silent),
    };
  },
});

type Figures = Omit<TypeOf<typeof rate>, 'time'>;

const NO_LOGS: Figures = { log_count: 0, log_volume: 0, drop_count: 0, drop_volume: 0 };

const figuresOf = ({ logs, volume, drops, dropVolume }: Omit<MinuteCounts, 'atMs'>): Figures => ({
  log_count: logs,
  log_volume: volume,
  drop_count: drops,
  drop_volume: dropVolume,
});

const added = (one: Figures, other: Figures): Figures => ({
  log_count: one.log_count + other.log_count,
  log_volume: one.log_volume + other.log_volume,
  drop_count: one.drop_count + other.drop_count,
  drop_volume: one.drop_volume + other.drop_volume,
});

const msOf = (text: string): number => fromStamp(text)?.epochMilliseconds ?? 0;
