// POST /batch-rules/:guid/backfill and its cancellation.

import { notFound } from '#contract/errors.ts';
import { BATCH_RULE } from '#detection/rules/batch-rule-job.ts';
import { findRule, scheduleOf } from '#detection/rules/rule-store.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { queueBackfill, unqueueBackfill } from '#scheduler/attempts/backfill-queue.ts';
import { requestStop } from '#scheduler/attempts/stop-requests.ts';
import { backfillAnswer, backfillPeriod, cancelAnswer, MAX_BACKFILL, momentsOf } from '#scheduler/backfill-params.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';

interface Needs extends Call {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

export const backfill = endpoint({
  title: 'Backfill batch rule',
  notes:
    'Runs the slots of the range that have not run, have failed or were cancelled, each with its own window, oldest first and ' +
    'after the slots that fall due meanwhile. Until then their state is `queued`. Slots whose window the run of another one ' +
    `has covered count as run. At most ${MAX_BACKFILL} slots at once. Matches of a disabled rule raise nothing.`,
  method: 'POST',
  path: '/api/core/batch-rules/:guid/backfill',
  access: 'ADMIN',
  audit: 'batch-rules.backfill',
  params: { guid: guidOf('rule'), ...backfillPeriod },
  answer: backfillAnswer,

  /** Computed outside of the unit: thousands of due times take too long. */
  async prepare({ guid, ...period }, { db, scheduler }: Needs) {
    const rule = await findRule(db, 'batch', guid);
    if (!rule) throw notFound('batch rule', guid);
    return await momentsOf(scheduler, scheduleOf(rule) ?? '', period);
  },

  async run({ guid }, { db, scheduler, afterCommit }: Needs, moments) {
    if (!(await findRule(db, 'batch', guid))) throw notFound('batch rule', guid);
    const job = { kind: BATCH_RULE, guid };
    const answer = await queueBackfill(db, job, moments);
    afterCommit(async () => scheduler.backfill(job));
    return answer;
  },
});

export const cancelBackfill = endpoint({
  title: 'Cancel backfill of batch rule',
  notes:
    'Takes all slots of backfills from the queue and stops the one that runs; answers when it has ended. Slots in line, whose ' +
    'windows the next run covers, stay.',
  method: 'POST',
  path: '/api/core/batch-rules/:guid/backfill/cancel',
  access: 'ADMIN',
  audit: 'batch-rules.cancel-backfill',
  params: { guid: guidOf('rule') },
  answer: cancelAnswer,

  async run({ guid }, { db, clock, scheduler, afterCommit }: Needs) {
    if (!(await findRule(db, 'batch', guid))) throw notFound('batch rule', guid);
    const now = clock.now().epochMilliseconds;
    const waiting = await unqueueBackfill(db, { kind: BATCH_RULE, guid }, now);
    const stop = { now, force: false, onlyBackfills: true };
    const { running, alreadyStopping } = await requestStop(db, BATCH_RULE, [guid], stop);
    afterCommit(() => scheduler.stop([...running, ...alreadyStopping], stop));
    return { cancelled: waiting + running.length };
  },
});
