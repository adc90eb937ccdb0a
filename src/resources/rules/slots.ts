// GET /batch-rules/:guid/slots

import { notFound } from '#contract/errors.ts';
import { BATCH_RULE } from '#detection/batch-rule-job.ts';
import { findRule } from '#detection/rule-store.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guidOf } from '#http/shared-fields.ts';
import { slotFilters, slotsAnswer, slotsOf } from '#scheduler/slot-record.ts';

export const slots = endpoint({
  title: 'List batch rule slots',
  notes:
    'Every slot that fell due, newest first, whether or not it ran. `from` and `to` are inclusive. A run ' +
    'interrupted by a stop or crash is `failed` with the error `node-unavailable`. A run with more than 100,000 ' +
    'matches raises nothing and is `failed` with `too many matches: <n> is more than 100000`.',
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
