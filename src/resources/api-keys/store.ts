// The SQL of API keys.

import type { Insertable } from 'kysely';
import type { Db } from '#store/kysely.ts';
import { containsKeyword, type Page, type Paging } from '#store/rows/lists.ts';
import type { ApiKeyRow, ApiKeyTable, UserRow } from '#store/schema/schema.ts';

export async function listKeys(
  db: Db,
  wanted: Paging & { userGuid: string; keywords: string | undefined },
): Promise<Page<ApiKeyRow>> {
  const matching = db
    .selectFrom('api_keys')
    .where('user_guid', '=', wanted.userGuid)
    .where(containsKeyword('api_keys', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export async function countKeys(db: Db, userGuid: string): Promise<number> {
  const keys = db.selectFrom('api_keys').where('user_guid', '=', userGuid);
  return (await keys.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
}

export async function insertKey(db: Db, key: Insertable<ApiKeyTable>): Promise<void> {
  await db.insertInto('api_keys').values(key).execute();
}

/** Also removes its sessions. False when the user has no such key. */
export async function removeKey(db: Db, userGuid: string, keyGuid: string): Promise<boolean> {
  const key = db.selectFrom('api_keys').select('guid').where('guid', '=', keyGuid).where('user_guid', '=', userGuid);
  if (!(await key.executeTakeFirst())) return false;
  await db.deleteFrom('api_keys').where('guid', '=', keyGuid).execute();
  return true;
}

export const findOwner = (db: Db, guid: string): Promise<Pick<UserRow, 'role' | 'company_guid'> | undefined> =>
  db.selectFrom('users').select(['role', 'company_guid']).where('guid', '=', guid).executeTakeFirst();
