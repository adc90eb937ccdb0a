// The rights behind a token: those that its account has now, not those of the moment when the upload was opened.

import type { Rightful } from '#access/caller.ts';
import { writableLookups } from '#access/rights/lookup-rights.ts';
import { rightOn } from '#access/rights/table-rights.ts';
import { noPermission, noUploadStream } from '#contract/errors.ts';
import type { Db } from '#store/kysely.ts';
import { findLookup } from '#store/rows/lookups.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';

/** Refuses an account that is gone or may no longer write to the target. A target that is gone is told of by the import. */
export async function requireRight(db: Db, row: UploadStreamRow): Promise<void> {
  const account = await accountOf(db, row.user_guid);
  if (!account) throw noUploadStream(row.token);
  if (!(await mayWrite(db, account, row))) throw noPermission();
}

async function mayWrite(db: Db, account: Rightful, { table_id, lookup_guid }: UploadStreamRow): Promise<boolean> {
  if (lookup_guid === null) return (await rightOn(db, account, table_id)) === 'write';
  const lookup = await findLookup(db, lookup_guid);
  return lookup === undefined || (await writableLookups(db, account, [lookup])).has(lookup_guid);
}

async function accountOf(db: Db, guid: string): Promise<Rightful | undefined> {
  const users = db.selectFrom('users').select(['role', 'company_guid']).where('guid', '=', guid);
  const user = await users.executeTakeFirst();
  return user && { userGuid: guid, role: user.role, companyGuid: user.company_guid };
}
