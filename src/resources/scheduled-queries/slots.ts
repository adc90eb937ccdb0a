// GET /scheduled-queries/:guid/slots

import { notFound, wrongDateRange } from '#contract/errors.ts';
import { someOf } from '#http/choice-params.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { alongside, guid, paging, required, time } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { OUTCOMES } from '#scheduler/slot.ts';
import { listSlots } from '#scheduler/slot-list.ts';
import { slotRecord, toSlot } from './model.ts';
import { findScheduledQuery, KIND } from './store.ts';

const to = alongside(time, (value, { from }) => {
  if (value && from instanceof Temporal.Instant && Temporal.Instant.compare(from, value) > 0) throw wrongDateRange();
});

export const slots = endpoint({
  title: 'List slots of a scheduled query',
  notes: 'Every slot that fell due, newest first, whether or not it ran. `from` and `to` are inclusive.',
  method: 'GET',
  path: '/api/core/scheduled-queries/:guid/slots',
  access: 'ADMIN',
  params: { guid: required(guid), from: time, to, outcome: someOf(OUTCOMES), ...paging },
  answer: listOf('slots', slotRecord),

  async run({ guid, from, to, ...input }, { db, zone }: Call & { zone: string }) {
    if (!(await findScheduledQuery(db, guid))) throw notFound('scheduled query', guid);
    const { total, rows } = await listSlots(db, {
      ...input,
      job: { kind: KIND, guid },
      from: from?.epochMilliseconds,
      // The whole of its second.
      before: to?.add({ seconds: 1 }).epochMilliseconds,
    });
    return { total_count: total, slots: rows.map((slot) => toSlot(slot, zone)) };
  },
});
