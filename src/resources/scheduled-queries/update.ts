// PUT /scheduled-queries/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { nameAsSent } from '#operations/params/names.ts';
import { required } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { scheduledQueryJob } from './job.ts';
import { fields } from './params.ts';
import { columnsOf, requireNoCycle } from './rules.ts';
import { findScheduledQuery, updateScheduledQuery } from './store.ts';

export const update = endpoint({
  title: 'Update scheduled query',
  notes: 'Replaces: a field that is absent returns to its default. A run in progress goes on with its old text.',
  method: 'PUT',
  path: '/api/core/scheduled-queries/:guid',
  access: 'ADMIN',
  audit: 'scheduled-queries.update',
  params: {
    guid: guidOf('scheduled query'),
    ...fields,
    name: required(nameAsSent(255), 'Name of the scheduled query, unique among scheduled queries.'),
  },
  answer: nothing,

  async run(input, { db, clock, scheduler, afterCommit }: Call & { clock: Clock; scheduler: Scheduler }) {
    const { guid, name, preceding_guid } = input;
    const before = await findScheduledQuery(db, guid);
    if (!before) throw notFound('scheduled query', guid);
    if (await isNameTaken(db, 'scheduled_queries', name, { except: guid })) throw duplicatedName(name);
    await requireNoCycle(db, guid, preceding_guid);
    const owed = await scheduler.claimOverdue(db, scheduledQueryJob, guid);
    const now = clock.now().epochMilliseconds;
    const after = columnsOf(input);
    const isSameSchedule = after.enabled === before.enabled && after.cron_schedule === before.cron_schedule;
    await updateScheduledQuery(db, guid, {
      ...after,
      scheduled_since: isSameSchedule ? before.scheduled_since : now,
      updated_at: now,
    });
    afterCommit(async () => {
      scheduler.take(owed);
      await scheduler.changed(scheduledQueryJob, [guid]);
    });
    return {};
  },
});
