// The line of a continuous job (see `JobKind`): slots that fell due while an attempt was active or waiting, were missed, or whose attempt
// was cut off. The next attempt covers the windows of all that have come by then, so that a job that takes longer than its period
// keeps up. What cannot be covered any more has failed.
//
//   due, missed or cut off ──► in line ──► begins with later ones ──► ran or backfilled; the others are skipped, `covered`
//                                 └── too old ──► failed

import { newGuid } from '#kernel/guid.ts';
import { NODE_UNAVAILABLE } from '#scheduler/attempts/active-attempt.ts';
import type { JobFailures, JobKind, JobWindows } from '#scheduler/job-kind.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import { type AttemptStart, begin, noteState, RELEASED, type StartResult, UNBEGUN } from './ledger.ts';
import {
  type AttemptEnd,
  FOR_BACKFILL,
  type Holder,
  IN_LINE,
  type JobKey,
  NOT_QUEUED,
  OPEN_COLUMNS,
  type OpenSlot,
  openSlot,
  type TimeWindow,
  windowOf,
} from './slot.ts';

const HOUR_MS = 3_600_000;
/** Older slots leave the line as failed. */
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
export const TOO_OLD = 'the window is more than 7 days old';
/** An attempt covers at most this much more than the window of one slot. */
const MAX_EXTENSION_MS = HOUR_MS;
/** Slots that one attempt covers. */
const MAX_COVERED = 5000;
/** A slot during whose attempts this many processes have died is not tried again: its query may be the cause. */
const MAX_INTERRUPTIONS = 10;

type WaitingSlot = Pick<SlotRow, 'id' | 'slot_time' | 'clock_time' | 'window_from' | 'window_to' | 'interruptions'>;

const inLine = (db: Db, { kind, guid }: JobKey) =>
  db
    .selectFrom('schedule_slots')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .where('is_queued', '=', IN_LINE)
    .where('covered_by', 'is', null)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', '!=', 'running')]));

/** Jobs with slots in line. */
export async function jobsInLine(db: Db, kind: string, guids: readonly string[]): Promise<string[]> {
  const rows = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('guid')
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('is_queued', '=', IN_LINE)
      .groupBy('guid')
      .execute(),
  );
  return rows.map(({ guid }) => guid);
}

/** Takes the oldest slots of the line for one attempt, which has the time of the newest of them. */
export async function takeFromLine(
  db: Db,
  kind: JobKind,
  guid: string,
  { node, lease }: Holder,
): Promise<OpenSlot | undefined> {
  const waiting: WaitingSlot[] = await inLine(db, { kind: kind.name, guid })
    .select(['id', 'slot_time', 'clock_time', 'window_from', 'window_to', 'interruptions'])
    .orderBy('slot_time')
    .orderBy('id')
    .limit(MAX_COVERED)
    .execute();
  const { slots, window } = firstAttempt(waiting, (await kind.request(db, guid))?.windows);
  const newest = slots.at(-1);
  if (!newest) return undefined;
  await cover(
    db,
    slots.slice(0, -1).map(({ id }) => id),
    newest.id,
  );
  const [row] = await db
    .updateTable('schedule_slots')
    .set({
      ...UNBEGUN,
      state: 'running',
      run_guid: newGuid(),
      node,
      lease,
      window_from: window?.from ?? null,
      window_to: window?.to ?? null,
    })
    .where('id', '=', newest.id)
    .returning(OPEN_COLUMNS)
    .execute();
  return row && openSlot(row);
}

/** The slots of the next attempt, oldest first, and its window if that is not the one of a single slot. */
export function firstAttempt(
  [first, ...later]: readonly WaitingSlot[],
  windows: JobWindows | undefined,
): { readonly slots: readonly WaitingSlot[]; readonly window: TimeWindow | undefined } {
  if (!first) return { slots: [], window: undefined };
  const slots = [first];
  let window = windowOf(first);
  for (const slot of windows?.areMergeable ? later : []) {
    const merged = mergedWindow(window ?? windows?.at(first.clock_time), slot, windows);
    // A slot whose attempt was cut off or failed with others runs alone: with others it might never end.
    if (!merged || first.interruptions + slot.interruptions > 0) break;
    window = merged;
    slots.push(slot);
  }
  return { slots, window };
}

/** Undefined if there would be a gap between the windows, or the union would be too long. */
function mergedWindow(
  before: TimeWindow | undefined,
  slot: WaitingSlot,
  windows: JobWindows | undefined,
): TimeWindow | undefined {
  const own = windowOf(slot) ?? windows?.at(slot.clock_time);
  if (!before || !own || own.from > before.to) return undefined;
  const merged = { from: Math.min(before.from, own.from), to: Math.max(before.to, own.to) };
  const extension = merged.to - merged.from - (own.to - own.from);
  return extension <= MAX_EXTENSION_MS ? merged : undefined;
}

/** Slots that the covered ones had covered are covered by the same attempt. */
async function cover(db: Db, ids: readonly number[], by: number): Promise<void> {
  for (const column of ['id', 'covered_by'] as const) {
    await inChunks(ids, (chunk) =>
      db
        .updateTable('schedule_slots')
        .set({ covered_by: by })
        .where(column, 'in', [...chunk])
        .execute(),
    );
  }
}

/** As `begin`; the slots that the attempt covers are settled with it. */
export async function beginCovering(db: Db, kind: JobKind, slot: OpenSlot, start: AttemptStart): Promise<StartResult> {
  const begun = await begin(db, kind, slot, start);
  if (kind.isContinuous && begun === 'begun') await settleCovered(db, slot.id);
  if (kind.isContinuous && begun === 'gone') await releaseCovered(db, slot.id);
  return begun;
}

/** Returns the slots that an attempt would have covered, which did not begin. */
export async function releaseCovered(db: Db, id: number): Promise<void> {
  await db
    .updateTable('schedule_slots')
    .set({ covered_by: null })
    .where('covered_by', '=', id)
    .where('is_queued', '=', IN_LINE)
    .execute();
}

async function settleCovered(db: Db, id: number): Promise<void> {
  await db
    .updateTable('schedule_slots')
    .set({ is_queued: NOT_QUEUED, outcome: 'skipped', reason: 'covered' })
    .where('covered_by', '=', id)
    .where('is_queued', '=', IN_LINE)
    .execute();
}

export async function coveredBy(db: Db, id: number): Promise<number[]> {
  const rows = await db.selectFrom('schedule_slots').select('id').where('covered_by', '=', id).execute();
  return rows.map((row) => row.id);
}

/**
 * Returns the slot of an ended attempt to the line if it is to run again: after a stop of the service, and each slot by itself after a
 * run over several windows has failed.
 */
export async function returnToLine(db: Db, slot: OpenSlot, end: AttemptEnd): Promise<boolean> {
  if (slot.origin === 'manual' || end.state !== 'failed') return false;
  if (end.error === NODE_UNAVAILABLE) {
    await requeue(db, [slot.id], end.finishedAt, {});
    return true;
  }
  const covered = await coveredBy(db, slot.id);
  if (covered.length === 0) return false;
  const apart = { covered_by: null, window_from: null, window_to: null, interruptions: 1 };
  await requeue(db, [slot.id, ...covered], end.finishedAt, apart);
  return true;
}

/** As `returnToLine`, for an attempt whose process has died. */
export async function returnInterrupted(db: Db, row: SlotRow, now: number): Promise<boolean> {
  if (row.origin === 'manual' || row.interruptions + 1 >= MAX_INTERRUPTIONS) return false;
  await requeue(db, [row.id], now, { interruptions: row.interruptions + 1 });
  return true;
}

async function requeue(db: Db, ids: readonly number[], now: number, changes: Partial<SlotRow>): Promise<void> {
  await inChunks(ids, (chunk) =>
    db
      .updateTable('schedule_slots')
      .set((eb) => ({
        ...UNBEGUN,
        ...RELEASED,
        ...changes,
        // A slot that was too old for the line has begun as a backfill.
        is_queued: eb
          .case()
          .when('slot_time', '<', now - MAX_AGE_MS)
          .then(FOR_BACKFILL)
          .else(IN_LINE)
          .end(),
      }))
      .where('id', 'in', [...chunk])
      .execute(),
  );
}

/** Slots of a disabled job do not wait any longer. */
export async function skipLine(db: Db, { kind, guid }: JobKey): Promise<void> {
  await db
    .updateTable('schedule_slots')
    .set({ ...RELEASED, is_queued: NOT_QUEUED, outcome: 'skipped', reason: 'disabled', covered_by: null })
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .where('is_queued', '=', IN_LINE)
    .execute();
}

/** Fails the slots that are too old to be covered. Returns the failure; undefined if there are none. */
export async function failOld(
  db: Db,
  { name, ...job }: JobKey & { readonly name: string },
  { now, failures }: { readonly now: number; readonly failures: JobFailures },
): Promise<AttemptEnd | undefined> {
  const old = await inLine(db, job)
    .select('id')
    .where('slot_time', '<', now - MAX_AGE_MS)
    .execute();
  if (old.length === 0) return undefined;
  const end = { state: 'failed', finishedAt: now, rows: null, error: TOO_OLD } as const;
  const ended = { is_queued: NOT_QUEUED, state: end.state, finished_at: now, error: end.error };
  const ids = old.map(({ id }) => id);
  for (const column of ['id', 'covered_by'] as const) {
    await inChunks(ids, (chunk) =>
      db
        .updateTable('schedule_slots')
        .set(ended)
        .where(column, 'in', [...chunk])
        .execute(),
    );
  }
  await noteState(db, job, { last_failure_at: now, last_failure_reason: end.error });
  await failures.ended(db, { ...job, name }, end);
  return end;
}
