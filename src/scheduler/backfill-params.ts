// The period and the answers of backfills, for every kind of job.

import { wrongDateRange } from '#contract/errors.ts';
import { int32, record } from '#operations/answers/shapes.ts';
import { alongside, meaning, required } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import type { Scheduler } from './scheduler.ts';

export const MAX_BACKFILL = 10_000;

const past = meaning(time, {}, (instant, _name, { now }) => {
  if (Temporal.Instant.compare(instant, now) > 0) throw wrongDateRange();
  return instant;
});

const to = alongside(required(past, 'End of the period, inclusive.'), (value, { from }) => {
  if (from instanceof Temporal.Instant && Temporal.Instant.compare(from, value) > 0) throw wrongDateRange();
});

export const backfillPeriod = { from: required(time, 'Start of the period, inclusive.'), to };

export const backfillAnswer = record({
  queued: int32('Number of slots that will run.'),
  skipped: int32('Number of slots in the period that had run already.'),
});

export const cancelAnswer = record({ cancelled: int32('Number of slots that waited or ran and no longer do.') });

/** Due times in the period. */
export async function momentsOf(
  scheduler: Scheduler,
  cron: string,
  { from, to }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
): Promise<readonly number[]> {
  const moments = await scheduler.moments(cron, from.epochMilliseconds, to.epochMilliseconds, MAX_BACKFILL + 1);
  if (moments.length > MAX_BACKFILL) throw wrongDateRange();
  return moments;
}
