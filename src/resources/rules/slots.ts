// GET /batch-rules/:guid/slots

import { notFound } from '#contract/errors.ts';
import { BATCH_RULE } from '#detection/rules/batch-rule-job.ts';
import { findRule } from '#detection/rules/rule-store.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { slotFilters, slotsAnswer, slotsOf } from '#scheduler/slots/slot-record.ts';

export const slots = endpoint({
  title: 'List batch rule slots',
  notes:
    'Every slot that fell due, newest first, whether or not it ran. `from` and `to` are inclusive. A run with more than ' +
    '100,000 matches raises nothing and is `failed` with `too many matches: <n> is more than 100000`.\n\n' +
    'No window is left out. A slot that falls due while a run is active or waits, was missed, or whose run was interrupted by a ' +
    'stop or crash waits in line with the state `queued`. The next run covers the windows of the slots in line, as far as they ' +
    'touch and for at most one hour more than `duration`: the newest slot runs, with the whole period as `window_from` and ' +
    '`window_to`, and the others are `skipped`, `covered`. If such a run fails, each of its slots runs by itself. A query with a ' +
    'time range of its own, a procedure or `now()` runs for each slot. What is more than 7 days old is `failed`; a slot during ' +
    'whose runs ten processes have died is `failed` with `node-unavailable`; both raise a failure alarm. A run by hand that is ' +
    'interrupted is `failed` with `node-unavailable`.',
  method: 'GET',
  path: '/api/core/batch-rules/:guid/slots',
  access: 'MEMBER',
  params: { guid: guidOf('rule'), ...slotFilters },
  answer: slotsAnswer,

  async run({ guid, ...wanted }, { db, zone }: Call & { zone: string }) {
    if (!(await findRule(db, 'batch', guid))) throw notFound('batch rule', guid);
    return await slotsOf({ kind: BATCH_RULE, guid }, wanted, { db, zone });
  },
});
