// The SQL of pending alarms.

import type { Db } from '#store/kysely.ts';
import type { AlarmRow, EventRow } from '#store/schema/event-schema.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';

/** Due alarms, oldest first, without those of `busy` targets. */
export async function dueAlarms(
  db: Db,
  { now, limit, busy }: { now: number; limit: number; busy: readonly string[] },
): Promise<AlarmRow[]> {
  const due = waiting(db, busy).selectAll().where('due_at', '<=', now);
  return await due.orderBy('due_at').orderBy('id').limit(limit).execute();
}

/** Due time of the next alarm; undefined without any. */
export async function nextDue(db: Db, busy: readonly string[]): Promise<number | undefined> {
  const next = waiting(db, busy).select((eb) => eb.fn.min('due_at').as('due_at'));
  return (await next.executeTakeFirst())?.due_at ?? undefined;
}

/** Of what fails only the oldest: that it is over must not be told before that it fails. */
function waiting(db: Db, busy: readonly string[]) {
  const alarms = db.selectFrom('alarms').where(({ or, eb, not, exists, selectFrom }) => {
    const older = selectFrom('alarms as older')
      .select('older.id')
      .whereRef('older.target', '=', 'alarms.target')
      .whereRef('older.subject', '=', 'alarms.subject')
      .whereRef('older.id', '<', 'alarms.id');
    return or([eb('alarms.subject', 'is', null), not(exists(older))]);
  });
  return busy.length === 0 ? alarms : alarms.where('target', 'not in', [...busy]);
}

/** Starts an attempt and sets the due time of the next. False when another process has claimed the alarm. */
export async function claimAlarm(db: Db, { id, tries }: AlarmRow, due_at: number): Promise<boolean> {
  const [row] = await db
    .updateTable('alarms')
    .set({ tries: tries + 1, due_at })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .returning('id')
    .execute();
  return row !== undefined;
}

export async function removeAlarm(db: Db, id: number): Promise<void> {
  await db.deleteFrom('alarms').where('id', '=', id).execute();
}

/** The event, if the alarm has one, and the webhook; undefined for a webhook that was removed from its group. */
export async function contentOf(
  db: Db,
  { event_guid, failure, group_guid, target }: AlarmRow,
): Promise<{ event: EventRow | undefined; webhook: AlarmMemberRow } | undefined> {
  const event = await db.selectFrom('events').selectAll().where('guid', '=', event_guid).executeTakeFirst();
  const webhook = await db
    .selectFrom('alarm_members')
    .selectAll()
    .where('group_guid', '=', group_guid)
    .where('target', '=', target)
    .executeTakeFirst();
  const isThere = event !== undefined || failure !== null;
  return isThere && webhook ? { event, webhook } : undefined;
}
