// The SQL of console sessions.

import type { Db } from '#store/kysely.ts';
import type { SessionRow } from '#store/schema.ts';

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Ends the implicit session of a key: what is asked with it from now on belongs to the next one. */
export async function endKeySession(db: Db, keyGuid: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((eb) => ({ session: eb('session', '+', 1) }))
    .where('guid', '=', keyGuid)
    .execute();
}

export async function removeSession(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('sessions').where('guid', '=', guid).execute();
}
