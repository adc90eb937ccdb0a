// POST /scheduled-queries/:guid/backfill/cancel

import { notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { unqueueBackfill } from '#scheduler/attempts/backfill-queue.ts';
import { requestStop } from '#scheduler/attempts/stop-requests.ts';
import { cancelAnswer } from '#scheduler/backfill-params.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { findScheduledQuery, KIND } from './store.ts';

export const cancelBackfill = endpoint({
  title: 'Cancel backfill of scheduled query',
  notes:
    'Takes all slots from the queue, those of several backfills, of catching up and of a workflow that follows one, and stops ' +
    'the one that runs; answers when it has ended. Slots that were missed, skipped, failed or cancelled are that again; others ' +
    'are `cancelled`. Runs of the schedule go on.',
  method: 'POST',
  path: '/api/core/scheduled-queries/:guid/backfill/cancel',
  access: 'ADMIN',
  audit: 'scheduled-queries.cancel-backfill',
  params: { guid: guidOf('scheduled query') },
  answer: cancelAnswer,

  async run({ guid }, { db, clock, scheduler, afterCommit }: Call & { clock: Clock; scheduler: Scheduler }) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    const now = clock.now().epochMilliseconds;
    const waiting = await unqueueBackfill(db, { kind: KIND, guid }, now);
    const stop = { now, force: false, onlyBackfills: true };
    const { running, alreadyStopping } = await requestStop(db, KIND, [guid], stop);
    afterCommit(() => scheduler.stop([...running, ...alreadyStopping], stop));
    return { cancelled: waiting + running.length };
  },
});
