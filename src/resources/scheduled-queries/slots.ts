// GET /scheduled-queries/:guid/slots

import { notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { slotFilters, slotsAnswer, slotsOf } from '#scheduler/slot-record.ts';
import { findScheduledQuery, KIND } from './store.ts';

export const slots = endpoint({
  title: 'List scheduled query slots',
  notes: 'Every slot that fell due, newest first, whether or not it ran. `from` and `to` are inclusive.',
  method: 'GET',
  path: '/api/core/scheduled-queries/:guid/slots',
  access: 'ADMIN',
  params: { guid: required(guid), ...slotFilters },
  answer: slotsAnswer,

  async run({ guid, ...wanted }, { db, zone }: Call & { zone: string }) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    return await slotsOf({ kind: KIND, guid }, wanted, { db, zone });
  },
});
