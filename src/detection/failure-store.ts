// The SQL of what fails at present: a row as long as it does, and the alarms of its beginning and of its end.

import { toStamp } from '#contract/times.ts';
import type { Db } from '#store/kysely.ts';
import { insertEach } from '#store/many.ts';
import type { FailingRow } from '#store/schedule-schema.ts';
import { webhooksOf } from './raise-alarms.ts';

export type FailingObject = Pick<FailingRow, 'kind' | 'guid' | 'name'>;

export interface AlarmOptions {
  /** Name or GUID of the alarm group that is told; empty for none. */
  readonly group: string;
  readonly zone: string;
  /** Told with each alarm that is due whether there is such a group. */
  onGroupLookup?(failingObjectExists: boolean): void;
}

/** Gives whether it has begun to fail with this. One that was told of is told of once. */
export async function noteFailure(
  db: Db,
  thing: FailingObject,
  { reason, at }: { readonly reason: string; readonly at: number },
  telling: AlarmOptions,
): Promise<boolean> {
  const known = await find(db, thing);
  if (known?.is_told === 1) return false;
  const { name } = thing;
  const isTold = await insertAlarms(db, { ...thing, reason, at, isOver: false }, telling);
  const changes = { name, is_told: isTold ? 1 : 0 };
  await db
    .insertInto('failing')
    .values({ ...keyOf(thing), ...changes, reason, since: at })
    .onConflict((conflict) => conflict.columns(['kind', 'guid']).doUpdateSet(changes))
    .execute();
  return known === undefined;
}

/** Gives whether it had failed. The end is told to those who were told of the beginning. */
export async function noteRecovery(db: Db, thing: FailingObject, at: number, telling: AlarmOptions): Promise<boolean> {
  const known = await find(db, thing);
  if (!known) return false;
  await removeFailing(db, thing);
  if (known.is_told === 1) await insertAlarms(db, { ...thing, reason: known.reason, at, isOver: true }, telling);
  return true;
}

export async function removeFailing(db: Db, { kind, guid }: Pick<FailingRow, 'kind' | 'guid'>): Promise<void> {
  await db.deleteFrom('failing').where('kind', '=', kind).where('guid', '=', guid).execute();
}

export const failingOf = (db: Db, kinds: readonly FailingRow['kind'][]): Promise<FailingRow[]> =>
  db
    .selectFrom('failing')
    .selectAll()
    .where('kind', 'in', [...kinds])
    .execute();

/** Whether the object is still there. */
export async function isThere(db: Db, { kind, guid }: FailingObject): Promise<boolean> {
  if (kind === 'logger') {
    return (await db.selectFrom('loggers').select('guid').where('guid', '=', guid).executeTakeFirst()) !== undefined;
  }
  const rule = db.selectFrom('rules').select('guid').where('guid', '=', guid);
  const ofKind = rule.where('kind', '=', kind === 'stream-rule' ? 'stream' : 'batch');
  return (await ofKind.executeTakeFirst()) !== undefined;
}

const find = (db: Db, { kind, guid }: FailingObject): Promise<FailingRow | undefined> =>
  db.selectFrom('failing').selectAll().where('kind', '=', kind).where('guid', '=', guid).executeTakeFirst();

const keyOf = ({ kind, guid }: FailingObject) => ({ kind, guid });

interface FailureChange extends FailingObject {
  readonly reason: string;
  readonly at: number;
  readonly isOver: boolean;
}

/** False where there is nobody to tell. */
async function insertAlarms(
  db: Db,
  { kind, guid, name, reason, at, isOver }: FailureChange,
  { group, zone, onGroupLookup }: AlarmOptions,
): Promise<boolean> {
  const told = await findAlarmGroup(db, group);
  onGroupLookup?.(told !== undefined);
  if (told === undefined) return false;
  const time = toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const failure = JSON.stringify({ kind, guid, name, reason, time, is_over: isOver });
  const webhooks = await webhooksOf(db, told);
  await insertEach(
    db,
    'alarms',
    webhooks.map(({ target }) => ({ event_guid: '', failure, group_guid: told, target, tries: 0, due_at: at })),
  );
  return true;
}

export async function findAlarmGroup(db: Db, group: string): Promise<string | undefined> {
  if (group === '') return undefined;
  const found = await db
    .selectFrom('alarm_groups')
    .select('guid')
    .where((eb) => eb.or([eb('guid', '=', group.toLowerCase()), eb('name', '=', group)]))
    .executeTakeFirst();
  return found?.guid;
}
