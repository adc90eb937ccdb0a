// The SQL of current failures: a row for each failing object, and the alarms of its start and end.

import { toStamp } from '#contract/times.ts';
import type { Db } from '#store/kysely.ts';
import { insertEach } from '#store/rows/many.ts';
import type { FailingRow } from '#store/schema/schedule-schema.ts';
import { webhooksOf } from './raise-alarms.ts';

export type FailingObject = Pick<FailingRow, 'kind' | 'guid' | 'name'>;

export interface AlarmOptions {
  /** Name or GUID of the notified alarm group; empty for none. */
  readonly group: string;
  readonly zone: string;
  /** Called for each due alarm with the existence of the group. */
  onGroupLookup?(failingObjectExists: boolean): void;
}

/** Returns whether the object starts to fail. A failure is notified once. */
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

/** Returns whether the object was failing. The end is notified if the start was. */
export async function noteRecovery(db: Db, thing: FailingObject, at: number, telling: AlarmOptions): Promise<boolean> {
  const known = await find(db, thing);
  if (!known) return false;
  await removeFailing(db, thing);
  if (known.is_told === 1) await insertAlarms(db, { ...thing, reason: known.reason, at, isOver: true }, telling);
  return true;
}

async function removeFailing(db: Db, { kind, guid }: Pick<FailingRow, 'kind' | 'guid'>): Promise<void> {
  await db.deleteFrom('failing').where('kind', '=', kind).where('guid', '=', guid).execute();
}

export const failingOf = (db: Db, kinds: readonly FailingRow['kind'][]): Promise<FailingRow[]> =>
  db
    .selectFrom('failing')
    .selectAll()
    .where('kind', 'in', [...kinds])
    .execute();

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

/** False without an alarm group. */
async function insertAlarms(
  db: Db,
  { kind, guid, name, reason, at, isOver }: FailureChange,
  { group, zone, onGroupLookup }: AlarmOptions,
): Promise<boolean> {
  const told = await findAlarmGroup(db, group);
  onGroupLookup?.(told !== undefined);
  if (told === undefined) return false;
  const time = toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const failure = JSON.stringify({ kind: kind.replace('silent-', ''), guid, name, reason, time, is_over: isOver });
  const webhooks = await webhooksOf(db, told);
  await insertEach(
    db,
    'alarms',
    webhooks.map(({ target }) => ({
      event_guid: '',
      failure,
      subject: `${kind} ${guid}`,
      group_guid: told,
      target,
      tries: 0,
      due_at: at,
    })),
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
