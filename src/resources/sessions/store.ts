// The SQL of console sessions.

import type { Db } from '#store/kysely.ts';
import type { SessionRow } from '#store/schema.ts';

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

export async function removeSession(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('sessions').where('guid', '=', guid).execute();
}
