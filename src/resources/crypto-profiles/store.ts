// The SQL of crypto profiles.

import type { Db } from '#store/kysely.ts';
import { containing, type Page, type Paging } from '#store/lists.ts';
import type { CryptoProfileRow } from '#store/schema.ts';

export async function listProfiles(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<CryptoProfileRow>> {
  const matching = db.selectFrom('crypto_profiles').where(containing('crypto_profiles', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const allProfiles = (db: Db): Promise<CryptoProfileRow[]> =>
  db.selectFrom('crypto_profiles').selectAll().execute();

export const findProfile = (db: Db, guid: string): Promise<CryptoProfileRow | undefined> =>
  db.selectFrom('crypto_profiles').selectAll().where('guid', '=', guid).executeTakeFirst();

export async function insertProfile(db: Db, profile: CryptoProfileRow): Promise<void> {
  await db.insertInto('crypto_profiles').values(profile).execute();
}

export async function updateProfile(db: Db, guid: string, changes: Partial<CryptoProfileRow>): Promise<void> {
  await db.updateTable('crypto_profiles').set(changes).where('guid', '=', guid).execute();
}

export async function removeProfile(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('crypto_profiles').where('guid', '=', guid).execute();
}

export const isUsed = async (db: Db, guid: string): Promise<boolean> =>
  (await db.selectFrom('log_tables').select('id').where('crypto_profile_guid', '=', guid).executeTakeFirst()) !==
  undefined;
