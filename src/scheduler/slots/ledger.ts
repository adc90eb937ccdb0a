// State changes of the row of a slot: start, end, stop. All functions run inside units.

import { newGuid } from '#kernel/guid.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { FailingRow, ScheduleStateRow } from '#store/schema/schedule-schema.ts';
import {
  type AttemptEnd,
  FOR_BACKFILL,
  type Holder,
  type JobKey,
  NOT_QUEUED,
  OPEN_COLUMNS,
  type OpenSlot,
  openSlot,
  type TimeWindow,
} from './slot.ts';

export interface AttemptStart {
  readonly queryId: number | null;
  readonly now: number;
  /** Of the process that starts it. */
  readonly lease: string;
  /** The period that it analyses; undefined for jobs without windows. */
  readonly window?: TimeWindow | undefined;
}

/**
 * `begun`: the attempt may start. `busy`: another attempt of the same job is active on another node. `gone`: the job was removed,
 * disabled or stopped meanwhile, or the slot belongs to another process by now.
 */
export type StartResult = 'begun' | 'busy' | 'gone';

export async function begin(db: Db, kind: JobKind, slot: OpenSlot, start: AttemptStart): Promise<StartResult> {
  const { queryId, now, lease, window } = start;
  const job = (await kind.eligibility(db, [slot.guid])).get(slot.guid);
  if (!job) return 'gone';
  if (!job.isEnabled && (slot.isInLine || !slot.isBackfill) && slot.origin !== 'manual') {
    await skipDisabled(db, slot, lease);
    return 'gone';
  }
  if (await isJobRunning(db, slot)) return 'busy';
  const [row] = await db
    .updateTable('schedule_slots')
    .set({
      started_at: now,
      query_id: queryId,
      is_queued: NOT_QUEUED,
      window_from: window?.from ?? null,
      window_to: window?.to ?? null,
      ...(slot.isBackfill ? { outcome: 'backfilled' } : {}),
      // A slot that was in line keeps the reason why it runs late.
      ...(slot.isBackfill && !slot.isInLine ? { reason: null } : {}),
    })
    .where('id', '=', slot.id)
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .where('started_at', 'is', null)
    .returning('id')
    .execute();
  if (!row) return 'gone';
  await noteState(db, slot, { last_run_at: now });
  return 'begun';
}

async function skipDisabled(db: Db, { id }: OpenSlot, lease: string): Promise<void> {
  await db
    .updateTable('schedule_slots')
    .set({
      ...RELEASED,
      is_queued: NOT_QUEUED,
      outcome: 'skipped',
      reason: 'disabled',
      constants: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .execute();
}

async function isJobRunning(db: Db, { id, kind, guid }: OpenSlot): Promise<boolean> {
  const other = await db
    .selectFrom('schedule_slots')
    .select('id')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .where('state', '=', 'running')
    .where('started_at', 'is not', null)
    .where('id', '!=', id)
    .executeTakeFirst();
  return other !== undefined;
}

/** False when the attempt has ended already or its job was removed. */
export async function finish(db: Db, slot: OpenSlot, end: AttemptEnd): Promise<boolean> {
  const { state, finishedAt, rows, error } = end;
  const [row] = await db
    .updateTable('schedule_slots')
    .set({ state, finished_at: finishedAt, rows, error })
    .where('id', '=', slot.id)
    .where('state', '=', 'running')
    .returning(['started_at', 'stop_asked'])
    .execute();
  if (!row) return false;
  if (state !== 'succeeded') {
    const covered = { state, finished_at: finishedAt, error };
    await db.updateTable('schedule_slots').set(covered).where('covered_by', '=', slot.id).execute();
  }
  // Nodes that wait for the end are told by this write, see `stop-requests` in cluster/changes/changes.ts: the attempt may have ended by itself.
  if (row.stop_asked !== 0) {
    await db.updateTable('schedule_slots').set({ stop_asked: 0 }).where('id', '=', slot.id).execute();
  }
  const startedAt = row.started_at ?? finishedAt;
  await noteState(db, slot, {
    last_run_at: startedAt,
    elapsed: Math.max(0, finishedAt - startedAt),
    result_state: state,
    ...(state === 'succeeded' ? { last_success_at: finishedAt } : {}),
    ...(state === 'failed' ? { last_failure_at: finishedAt, last_failure_reason: error } : {}),
  });
  return true;
}

const NO_STATE = {
  last_run_at: null,
  elapsed: null,
  result_state: null,
  last_success_at: null,
  last_failure_at: null,
  last_failure_reason: null,
};

export async function noteState(db: Db, { kind, guid }: JobKey, changes: Partial<ScheduleStateRow>): Promise<void> {
  await db
    .insertInto('schedule_states')
    .values({ ...NO_STATE, ...changes, kind, guid })
    .onConflict((conflict) => conflict.columns(['kind', 'guid']).doUpdateSet(changes))
    .execute();
}

/** Jobs with an active or claimed attempt. */
export async function runningJobs(db: Db, kind: string, guids: readonly string[]): Promise<Set<string>> {
  const rows = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select('guid')
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('state', '=', 'running')
      .execute(),
  );
  return new Set(rows.map(({ guid }) => guid));
}

/** Removes the ledger of removed jobs. */
export async function removeLedger(db: Db, kind: string, guids: readonly string[]): Promise<void> {
  for (const table of ['schedule_slots', 'schedule_states', 'failing'] as const) {
    await inChunks(guids, (chunk) =>
      db
        .deleteFrom(table)
        .where('kind', '=', kind as FailingRow['kind'])
        .where('guid', 'in', [...chunk])
        .execute(),
    );
  }
}

/**
 * Takes the oldest queued slot of a job. It stays queued until its attempt starts, so that a crash leaves it in the
 * queue.
 */
export async function takeQueued(
  db: Db,
  { kind, guid }: JobKey,
  { node, lease }: Holder,
): Promise<OpenSlot | undefined> {
  const next = await db
    .selectFrom('schedule_slots')
    .select('id')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .where('is_queued', '=', FOR_BACKFILL)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', '!=', 'running')]))
    .orderBy('slot_time')
    .orderBy('id')
    .executeTakeFirst();
  if (!next) return undefined;
  const [row] = await db
    .updateTable('schedule_slots')
    .set({ ...UNBEGUN, state: 'running', run_guid: newGuid(), node, lease })
    .where('id', '=', next.id)
    .returning(OPEN_COLUMNS)
    .execute();
  return row && openSlot(row);
}

/** Of a row whose attempt has not begun: it may have had one before. */
export const UNBEGUN = { started_at: null, finished_at: null, query_id: null, rows: null, error: null } as const;

/** Of a row that no process holds. */
export const RELEASED = { state: null, run_guid: null, node: null, lease: null } as const;

/** Returns slots that have not started to the backfill queue. */
export async function returnQueued(db: Db, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (chunk) =>
    db
      .updateTable('schedule_slots')
      .set(RELEASED)
      .where('id', 'in', [...chunk])
      .where('state', '=', 'running')
      .where('started_at', 'is', null)
      .execute(),
  );
}
