// POST /scheduled-queries/:guid/backfill

import { noCronSchedule, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { queueBackfill } from '#scheduler/attempts/backfill-queue.ts';
import { backfillAnswer, backfillPeriod, MAX_BACKFILL, momentsOf } from '#scheduler/backfill-params.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { findScheduledQuery, KIND } from './store.ts';

export const backfill = endpoint({
  title: 'Backfill scheduled query',
  notes:
    'Runs the slots of the range that have not run, have failed or were cancelled, oldest first, one after another and never ' +
    'beside a run of the same query, also those of a time when the query was disabled or did not exist. Until then their state ' +
    'is `queued`. Slots that are queued already are counted and run once; followers follow, and wait in line for the run ' +
    'before them. They wait for a node that has one of the `node_types` of the query. At most ' +
    `${MAX_BACKFILL} slots at once.`,
  method: 'POST',
  path: '/api/core/scheduled-queries/:guid/backfill',
  access: 'ADMIN',
  audit: 'scheduled-queries.backfill',
  params: { guid: guidOf('scheduled query'), ...backfillPeriod },
  answer: backfillAnswer,

  /** Computed outside of the unit: thousands of due times take too long. */
  async prepare({ guid, ...period }, { db, scheduler }: Call & { scheduler: Scheduler }) {
    const query = await findScheduledQuery(db, guid);
    if (!query) throw notFound('scheduled query', guid);
    if (query.cron_schedule === null) throw noCronSchedule(guid);
    return await momentsOf(scheduler, query.cron_schedule, period);
  },

  async run({ guid }, { db, scheduler, afterCommit }: Call & { scheduler: Scheduler }, moments) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    const job = { kind: KIND, guid };
    const answer = await queueBackfill(db, job, moments);
    afterCommit(async () => scheduler.backfill(job));
    return answer;
  },
});
