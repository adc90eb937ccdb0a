// Asking runs to end. That a run is asked is written in its row: by one caller alone, and for the process that runs it, which
// may be another one.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { SlotRow } from '#store/schedule-schema.ts';
import { returnQueued } from './ledger.ts';
import { type Holder, OPEN_COLUMNS, type OpenSlot, openSlot } from './slot.ts';

export interface Stop {
  readonly now: number;
  /** Whether its rows are dropped. */
  readonly force: boolean;
}

/** Runs that somebody has asked to end. */
export interface StopOutcome {
  /** Jobs whose run had not begun, and never will. */
  readonly cancelled: readonly string[];
  /** At work: to be stopped by whoever runs them. */
  readonly running: readonly OpenSlot[];
  /** At work, and asked to end by somebody else before. */
  readonly alreadyStopping: readonly OpenSlot[];
}

/** `stop_asked` of a row. */
const [NOT, ORDERLY, FORCED] = [0, 1, 2];

/** Asks the runs of jobs to end. A run is asked by one caller alone, however many try. */
export async function requestStop(db: Db, kind: string, guids: readonly string[], stop: Stop): Promise<StopOutcome> {
  const open = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select([...OPEN_COLUMNS, 'started_at', 'stop_asked'])
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('state', '=', 'running')
      .orderBy('id')
      .execute(),
  );
  const [begun, waiting] = partition(open, ({ started_at }) => started_at !== null);
  const [queued, unbegun] = partition(waiting, ({ is_queued }) => is_queued === 1);
  await change(db, unbegun, { state: 'cancelled', finished_at: stop.now });
  await returnQueued(
    db,
    queued.map(({ id }) => id),
  );
  const [mine, others] = partition(begun, ({ stop_asked }) => stop_asked === NOT);
  await change(db, mine, { stop_asked: stop.force ? FORCED : ORDERLY });
  if (stop.force) await change(db, others, { stop_asked: FORCED });
  return {
    cancelled: unbegun.map(({ guid }) => guid),
    running: mine.map(openSlot),
    alreadyStopping: others.map(openSlot),
  };
}

function partition<T>(items: readonly T[], isSo: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isSo), items.filter((item) => !isSo(item))];
}

async function change(db: Db, slots: readonly { readonly id: number }[], changes: Partial<SlotRow>): Promise<void> {
  const ids = slots.map(({ id }) => id);
  await inChunks(ids, (chunk) =>
    db
      .updateTable('schedule_slots')
      .set(changes)
      .where('id', 'in', [...chunk])
      .execute(),
  );
}

/** Those of `slots` whose run has ended, or is gone with its job; with the state of each. */
export async function endedOf(
  db: Db,
  slots: readonly OpenSlot[],
): Promise<{ slot: OpenSlot; state: SlotRow['state'] }[]> {
  const ids = slots.map(({ id }) => id);
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select(['id', 'state'])
      .where('id', 'in', [...chunk])
      .execute(),
  );
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return slots.map((slot) => ({ slot, state: states.get(slot.id) ?? null })).filter(({ state }) => state !== 'running');
}

/** Runs of a process that somebody has asked to end. */
export async function runsToStop(db: Db, { lease }: Holder): Promise<{ runGuid: string; force: boolean }[]> {
  const rows = await db
    .selectFrom('schedule_slots')
    .select(['run_guid', 'stop_asked'])
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .where('stop_asked', '!=', NOT)
    .execute();
  return rows.map(({ run_guid, stop_asked }) => ({ runGuid: run_guid ?? '', force: stop_asked === FORCED }));
}
