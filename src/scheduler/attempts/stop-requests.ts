// Stop requests of attempts. A request is recorded in the row of the attempt, by a single caller, for the process that runs it, which
// may be another one.

import { returnQueued } from '#scheduler/slots/ledger.ts';
import { FOR_BACKFILL, type Holder, NOT_QUEUED, OPEN_COLUMNS, type OpenSlot, openSlot } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';

interface Stop {
  readonly now: number;
  /** Whether its rows are dropped. */
  readonly force: boolean;
  /** Whether only attempts of backfills are stopped. */
  readonly onlyBackfills?: boolean;
}

/** The attempts of a stop request. */
export interface StopOutcome {
  /** Jobs whose attempt had not started and is cancelled. */
  readonly cancelled: readonly string[];
  /** Active attempts: the process that runs them stops them. */
  readonly running: readonly OpenSlot[];
  /** Active attempts with an earlier stop request. */
  readonly alreadyStopping: readonly OpenSlot[];
}

/** `stop_asked` of a row. */
const NOT = 0;
const ORDERLY = 1;
const FORCED = 2;

/** Requests the stop of the attempts of jobs. Of several concurrent requests for an attempt one succeeds. */
export async function requestStop(db: Db, kind: string, guids: readonly string[], stop: Stop): Promise<StopOutcome> {
  const all = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select([...OPEN_COLUMNS, 'reason', 'started_at', 'stop_asked'])
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .where('state', '=', 'running')
      .orderBy('id')
      .execute(),
  );
  // A slot that was missed and ran from the line has the outcome, too, and keeps its reason.
  const open = all.filter(
    ({ outcome, reason }) => !stop.onlyBackfills || (outcome === 'backfilled' && reason === null),
  );
  const [begun, waiting] = partition(open, ({ started_at }) => started_at !== null);
  const [queued, unbegun] = partition(waiting, ({ is_queued }) => is_queued === FOR_BACKFILL);
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

/** Slots whose attempt has ended or was removed with its job, with the state of each. */
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

/** Slots of a process that have not started; a backfill is taken from its queue instead. */
export async function assignedTo(db: Db, { lease }: Holder): Promise<OpenSlot[]> {
  const rows = await db
    .selectFrom('schedule_slots')
    .select(OPEN_COLUMNS)
    .where('state', '=', 'running')
    .where('lease', '=', lease)
    .where('started_at', 'is', null)
    .where('is_queued', '=', NOT_QUEUED)
    .execute();
  return rows.map(openSlot);
}

/**
 * Those of active attempts that are to be stopped: by a request, because their job was removed meanwhile, or because another process has
 * taken theirs for dead and recorded their end.
 */
export async function attemptsToStop(
  db: Db,
  active: readonly OpenSlot[],
): Promise<{ readonly attemptGuid: string; readonly force: boolean }[]> {
  const ids = active.map(({ id }) => id);
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('schedule_slots')
      .select(['id', 'stop_asked'])
      .where('id', 'in', [...chunk])
      .where('state', '=', 'running')
      .execute(),
  );
  const asked = new Map(rows.map(({ id, stop_asked }) => [id, stop_asked]));
  return active.flatMap(({ id, attemptGuid }) => {
    const how = asked.get(id) ?? FORCED;
    return how === NOT ? [] : [{ attemptGuid, force: how === FORCED }];
  });
}
