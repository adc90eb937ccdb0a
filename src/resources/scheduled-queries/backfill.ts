// POST /scheduled-queries/:guid/backfill

import { noCronSchedule, notFound, wrongDateRange } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { alongside, meaning, required } from '#http/params.ts';
import { int32, record } from '#http/shapes.ts';
import { guidOf } from '#http/shared-fields.ts';
import { time } from '#http/time-params.ts';
import { queueBackfill } from '#scheduler/backfill-queue.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { findScheduledQuery, KIND } from './store.ts';

const MAX_SLOTS = 10_000;

const past = meaning(time, {}, (instant, _name, { now }) => {
  if (Temporal.Instant.compare(instant, now) > 0) throw wrongDateRange();
  return instant;
});

const to = alongside(required(past, 'End of the period, inclusive.'), (value, { from }) => {
  if (from instanceof Temporal.Instant && Temporal.Instant.compare(from, value) > 0) throw wrongDateRange();
});

export const backfill = endpoint({
  title: 'Backfill scheduled query',
  notes:
    'Runs the slots of the range that have not run, oldest first, one after another and never beside a run of the same query, ' +
    'also those of a time when the query was disabled or did not exist. Slots that are queued already are counted and run ' +
    `once; followers follow. They wait for a node that has one of the \`node_types\` of the query. At most ${MAX_SLOTS} slots at once.`,
  method: 'POST',
  path: '/api/core/scheduled-queries/:guid/backfill',
  access: 'ADMIN',
  audit: 'scheduled-queries.backfill',
  params: { guid: guidOf('scheduled query'), from: required(time, 'Start of the period, inclusive.'), to },
  answer: record({
    queued: int32('Number of slots that will run.'),
    skipped: int32('Number of slots in the period that had run already.'),
  }),

  /** Computed outside of the unit: thousands of due times take too long. */
  async prepare({ guid, from, to }, { db, scheduler }: Call & { scheduler: Scheduler }) {
    const query = await findScheduledQuery(db, guid);
    if (!query) throw notFound('scheduled query', guid);
    if (query.cron_schedule === null) throw noCronSchedule(guid);
    const range = [from.epochMilliseconds, to.epochMilliseconds] as const;
    const moments = await scheduler.moments(query.cron_schedule, ...range, MAX_SLOTS + 1);
    if (moments.length > MAX_SLOTS) throw wrongDateRange();
    return moments;
  },

  async run({ guid }, { db, scheduler, afterCommit }: Call & { scheduler: Scheduler }, moments) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    const job = { kind: KIND, guid };
    const answer = await queueBackfill(db, job, moments);
    afterCommit(async () => scheduler.backfill(job));
    return answer;
  },
});
