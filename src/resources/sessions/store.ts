// The SQL of console sessions.

import type { Db } from '#store/kysely.ts';
import type { SessionRow } from '#store/schema/schema.ts';

/** A lowered limit is reached gradually. */
const MAX_ENDED_AT_ONCE = 500;

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Keeps the newest `kept` sessions of the keys of a user. */
export async function endOldest(db: Db, userGuid: string, kept: number): Promise<void> {
  const keys = db.selectFrom('api_keys').select('guid').where('user_guid', '=', userGuid);
  const sessions = db.selectFrom('sessions').select('guid').where('key_guid', 'in', keys);
  const newestFirst = sessions.orderBy('created_at', 'desc').orderBy('guid');
  // Both databases require a limit with an offset.
  const ended = await newestFirst.offset(kept).limit(MAX_ENDED_AT_ONCE).execute();
  if (ended.length === 0) return;
  const guids = ended.map(({ guid }) => guid);
  await db.deleteFrom('sessions').where('guid', 'in', guids).execute();
}

/** Ends the implicit session of a key; later requests start a new one. */
export async function endKeySession(db: Db, keyGuid: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((eb) => ({ session: eb('session', '+', 1) }))
    .where('guid', '=', keyGuid)
    .execute();
}

/** Empty for a company that has gone. */
export async function companyName(db: Db, guid: string): Promise<string> {
  const row = await db.selectFrom('companies').select('name').where('guid', '=', guid).executeTakeFirst();
  return row?.name ?? '';
}

export async function removeSession(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('sessions').where('guid', '=', guid).execute();
}
