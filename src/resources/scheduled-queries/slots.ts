// GET /scheduled-queries/:guid/slots

import { notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { slotFilters, slotsAnswer, slotsOf } from '#scheduler/slots/slot-record.ts';
import { findScheduledQuery, KIND } from './store.ts';

export const slots = endpoint({
  title: 'List scheduled query slots',
  notes:
    'Every slot that fell due, newest first, whether or not it ran. `from` and `to` are inclusive.\n\n' +
    'A query that is not enabled has no slots by schedule; `disabled` is the reason of slots due by a workflow, ' +
    'or disabled before they ran. A slot that waits for its run has the outcome `ran` and the state `running`, ' +
    'with `started` and `query_id` null. One that waits for its backfill, or follows a backfill and waits for the run before ' +
    'it, has the state `queued`. A slot found more than 60 seconds late is `missed`, `service-down`; one ' +
    'not begun when its process died is `missed`, `node-unavailable`, or runs at the next start where it came ' +
    'from a workflow or by hand. A run interrupted by a stop or crash is `failed` with the error ' +
    '`node-unavailable`; followers of `failed` and `finished` follow, and a failure alarm is raised. `error` of a ' +
    'cancelled slot is null. Where the clock goes back, slots with a row get no second one.\n\n' +
    'Rows of the newest 200 runs and statuses of the newest 10,000 are kept, within the times that hold for all ' +
    'queries.',
  method: 'GET',
  path: '/api/core/scheduled-queries/:guid/slots',
  access: 'ADMIN',
  params: { guid: guidOf('scheduled query'), ...slotFilters },
  answer: slotsAnswer,

  async run({ guid, ...wanted }, { db, zone }: Call & { zone: string }) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    return await slotsOf({ kind: KIND, guid }, wanted, { db, zone });
  },
});
