// POST /scheduled-queries

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { isTaken } from '#store/lists.ts';
import { isNameTaken } from '#store/names.ts';
import { scheduledQueryJob } from './job.ts';
import { fields } from './params.ts';
import { columnsOf, requireNoCycle } from './rules.ts';
import { insertScheduledQuery } from './store.ts';

export const create = endpoint({
  title: 'Create scheduled query',
  notes:
    'Any text is accepted as `query`: what is wrong with it is the `query_error` of the record. A `preceding_guid` may name a ' +
    'query that does not exist yet.',
  method: 'POST',
  path: '/api/core/scheduled-queries',
  access: 'ADMIN',
  audit: 'scheduled-queries.create',
  params: { guid, ...fields },
  answer: created,

  async run(input, { db, caller, clock, scheduler, afterCommit }: Call & { clock: Clock; scheduler: Scheduler }) {
    const { guid = newGuid(), name, preceding_guid } = input;
    if (await isNameTaken(db, 'scheduled_queries', name)) throw duplicatedName(name);
    if (await isTaken(db, 'scheduled_queries', { guid })) throw duplicatedGuid(guid);
    await requireNoCycle(db, guid, preceding_guid);
    const now = clock.now().epochMilliseconds;
    await insertScheduledQuery(db, {
      guid,
      ...columnsOf(input),
      owner_guid: caller.userGuid,
      owner_login: caller.login,
      owner_company: caller.companyGuid,
      scheduled_since: now,
      created_at: now,
      updated_at: now,
    });
    afterCommit(() => scheduler.changed(scheduledQueryJob, [guid]));
    return { guid };
  },
});
