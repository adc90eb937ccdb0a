// POST /scheduled-queries

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { createdWithMistakes } from '#operations/answers/finding-shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { newGuidParam } from '#operations/shared-fields.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { isTaken } from '#store/rows/lists.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { findingsIn } from './findings.ts';
import { scheduledQueryJob } from './job.ts';
import { fields } from './params.ts';
import { columnsOf, requireNoCycle } from './rules.ts';
import { insertScheduledQuery } from './store.ts';

interface Needs extends Call {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly queries: LiveQueries;
}

export const create = endpoint({
  title: 'Create scheduled query',
  notes:
    'Any text is accepted as `query`: its error is the `query_error` of the record, and all errors, warnings and ' +
    'hints about it are in the answer. A `preceding_guid` may name a ' +
    'query that does not exist yet; parameters that such a query reads are no errors.\n\n' +
    '`cron_schedule` has five fields, or six with seconds first, and at most 255 characters. Accepted: names, ' +
    'lists, ranges, steps (`5/15` is from 5 to the end of the field), `L`, `W`, `#`; `?` for `*` in the day and ' +
    'weekday fields; weekdays 0 to 7, both ends Sunday. Not accepted: nicknames (`@daily`), years, `L-3`, `L` as ' +
    'a weekday, backward ranges (`22-2`). Where day and weekday are both given, either makes a day due. Fixed ' +
    'times inside a skipped hour are due once, together; a date that never comes is never due.\n\n' +
    '`output_parameter` hands the last row of a succeeded run to its followers, without names that begin with ' +
    '`_`; without a row an empty map.',
  method: 'POST',
  path: '/api/core/scheduled-queries',
  access: 'ADMIN',
  audit: 'scheduled-queries.create',
  params: { guid: newGuidParam, ...fields },
  answer: createdWithMistakes,

  prepare: (input, { queries, caller }: Needs) => findingsIn(input, queries, caller),

  async run(input, { db, caller, clock, scheduler, afterCommit }: Needs, findings) {
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
    return { guid, ...findings };
  },
});
