// The ledger as it is read: the slots of a job, newest first.

import type { Db } from '#store/kysely.ts';
import type { Page, Paging } from '#store/rows/lists.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import type { JobKey, Outcome } from './slot.ts';

interface SlotFilter extends Paging {
  readonly job: JobKey;
  readonly from: number | undefined;
  readonly before: number | undefined;
  readonly outcome: readonly Outcome[] | undefined;
}

export async function listSlots(db: Db, wanted: SlotFilter): Promise<Page<SlotRow>> {
  const { job, from, before, outcome } = wanted;
  let matching = db.selectFrom('schedule_slots').where('kind', '=', job.kind).where('guid', '=', job.guid);
  if (from !== undefined) matching = matching.where('slot_time', '>=', from);
  if (before !== undefined) matching = matching.where('slot_time', '<', before);
  if (outcome !== undefined && outcome.length > 0) matching = matching.where('outcome', 'in', [...outcome]);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('slot_time', 'desc').orderBy('id', 'desc').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}
