// Slots that are run later than they were due: those that were missed, as the setting says, and those that somebody asks for.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import { dueKey, insertSlots, skipped } from './claims.ts';
import { type CatchUp, MAX_CATCH_UP } from './settings.ts';
import type { JobKey } from './slot.ts';

/** Lets slots that were missed since a moment wait to be backfilled. True when there are such. */
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

export interface BackfillCounts {
  /** Slots that will run. */
  readonly queued: number;
  /** Slots that have run already, or are about to. */
  readonly skipped: number;
}

/** Lets the slots of a schedule at `times` wait to be backfilled, those included that were not due then. */
export async function queueBackfill(db: Db, { kind, guid }: JobKey, times: readonly number[]): Promise<BackfillCounts> {
  const rows = times.map((at) =>
    skipped({ kind, guid, slot_key: dueKey(at), slot_time: at, clock_time: at, origin: 'schedule' }, 'disabled'),
  );
  await insertSlots(db, rows);
  const idle = await inChunks(times, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('id')
      .where('kind', '=', kind)
      .where('guid', '=', guid)
      .where('slot_key', 'in', chunk.map(dueKey))
      .where('outcome', 'in', ['missed', 'skipped'])
      .execute(),
  );
  await queue(
    db,
    idle.map(({ id }) => id),
  );
  return { queued: idle.length, skipped: times.length - idle.length };
}

async function queue(db: Db, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (chunk) =>
    db
      .updateTable('schedule_slots')
      .set({ is_queued: 1 })
      .where('id', 'in', [...chunk])
      .execute(),
  );
}

/** Slots of a moment that has not come: the clock had gone wrong. What ran has run. */
export async function deleteFutureSlots(db: Db, now: number): Promise<void> {
  await db.deleteFrom('schedule_slots').where('slot_time', '>', now).where('state', 'is', null).execute();
}

const SLICE = 1000;

/** Removes slots from before a moment, a slice at a time; true when there may be more. */
export async function deleteOldSlots(db: Db, before: number): Promise<boolean> {
  const old = await db
    .selectFrom('schedule_slots')
    .select('id')
    .where('slot_time', '<', before)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', '!=', 'running')]))
    .where('is_queued', '=', 0)
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
