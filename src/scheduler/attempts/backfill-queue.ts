// Slots that run later than due: missed slots, depending on the catch-up setting, and slots of a backfill request.

import { type CatchUp, MAX_CATCH_UP } from '#scheduler/settings.ts';
import { dueKey, forBackfill, insertSlots } from '#scheduler/slots/claims.ts';
import { RELEASED } from '#scheduler/slots/ledger.ts';
import { FOR_BACKFILL, type JobKey, NOT_QUEUED } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';

/** Queues slots missed since a time for backfill. True when there are any. */
export async function queueMissed(db: Db, { kind, guid }: JobKey, since: number, catchUp: CatchUp): Promise<boolean> {
  if (catchUp === 'none') return false;
  const rows = await db
    .selectFrom('schedule_slots')
    .select('id')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .where('slot_time', '>=', since)
    .where('outcome', '=', 'missed')
    .where('origin', '=', 'schedule')
    .where('state', 'is', null)
    .orderBy('slot_time', 'desc')
    .limit(catchUp === 'latest' ? 1 : MAX_CATCH_UP)
    .execute();
  await queue(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length > 0;
}

interface BackfillCounts {
  readonly queued: number;
  /** Slots that have run already or are running. */
  readonly skipped: number;
}

/**
 * Queues the slots of a schedule at `times` for backfill, including slots from before the schedule was enabled, and those whose attempt
 * has failed or was cancelled.
 */
export async function queueBackfill(db: Db, { kind, guid }: JobKey, times: readonly number[]): Promise<BackfillCounts> {
  const rows = times.map((at) =>
    forBackfill({ kind, guid, slot_key: dueKey(at), slot_time: at, clock_time: at, origin: 'schedule' }),
  );
  await insertSlots(db, rows);
  const idle = await inChunks(times, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('id')
      .where('kind', '=', kind)
      .where('guid', '=', guid)
      .where('slot_key', 'in', chunk.map(dueKey))
      .where((eb) =>
        eb.or([
          eb('is_queued', '!=', NOT_QUEUED),
          eb('state', 'in', ['failed', 'cancelled']),
          // What the attempt of another slot has covered needs no attempt of its own.
          eb.and([
            eb('outcome', 'in', ['missed', 'skipped']),
            eb('state', 'is', null),
            eb.or([eb('reason', 'is', null), eb('reason', '!=', 'covered')]),
          ]),
        ]),
      )
      .execute(),
  );
  await queue(
    db,
    idle.map(({ id }) => id),
  );
  return { queued: idle.length, skipped: times.length - idle.length };
}

/** Takes all slots of a job from the backfill queue: they are what they were before. Returns their number. */
export async function unqueueBackfill(db: Db, { kind, guid }: JobKey, now: number): Promise<number> {
  const change = (changes: Partial<SlotRow>) =>
    db
      .updateTable('schedule_slots')
      .set(changes)
      .where('kind', '=', kind)
      .where('guid', '=', guid)
      .where('is_queued', '=', FOR_BACKFILL);
  await change(RELEASED).where('state', '=', 'running').execute();
  // Of slots that only the backfill has made due, or whose earlier end is gone, it is the end.
  const cancelled = { state: 'cancelled', finished_at: now } as const;
  await change(cancelled).where('state', 'is', null).where('outcome', 'in', ['ran', 'backfilled']).execute();
  return (await change({ is_queued: NOT_QUEUED }).returning('id').execute()).length;
}

async function queue(db: Db, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (chunk) =>
    db
      .updateTable('schedule_slots')
      .set({ is_queued: FOR_BACKFILL, window_from: null, window_to: null, covered_by: null })
      .where('id', 'in', [...chunk])
      // Those in line run anyway.
      .where('is_queued', '=', NOT_QUEUED)
      .execute(),
  );
}

/** Deletes slots in the future, after the clock was set back. Slots that ran are kept. */
export async function deleteFutureSlots(db: Db, now: number): Promise<void> {
  await db.deleteFrom('schedule_slots').where('slot_time', '>', now).where('state', 'is', null).execute();
}

const SLICE = 1000;

/** Deletes slots before a time, a batch at a time; true when there may be more. */
export async function deleteOldSlots(db: Db, before: number): Promise<boolean> {
  const old = await db
    .selectFrom('schedule_slots')
    .select('id')
    .where('slot_time', '<', before)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', '!=', 'running')]))
    .where('is_queued', '=', NOT_QUEUED)
    .limit(SLICE)
    .execute();
  await inChunks(old, (chunk) =>
    db
      .deleteFrom('schedule_slots')
      .where(
        'id',
        'in',
        chunk.map(({ id }) => id),
      )
      .execute(),
  );
  return old.length === SLICE;
}
