// Objects that belong to an account and may be shared: visible to their owner, to grantees and to administrators, changed by
// their owner, by grantees with a writing grant and by administrators.

import type { ExpressionBuilder } from 'kysely';
import type { Caller, Rightful } from '#access/caller.ts';
import { tooMany } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { grantedObjects, objectGrantsOf } from '#store/rows/grants.ts';
import type { Schema } from '#store/schema/schema.ts';
import type { FamilyCall } from './family.ts';

type OwnedTable = 'datasets' | 'dashboards';

interface OwnedRow {
  readonly guid: string;
  readonly owner_guid: string;
}

/** A condition for `where`; undefined for administrators, who see all. */
export const ownOrGranted = (path: string, caller: Rightful, db: Db) => {
  if (isAtLeast(caller.role, 'ADMIN')) return undefined;
  return (eb: ExpressionBuilder<Schema, OwnedTable>) =>
    eb.or([eb('owner_guid', '=', caller.userGuid), eb('guid', 'in', grantedObjects(db, path, caller.userGuid))]);
};

export async function mayChangeOwned(path: string, row: OwnedRow, { db, caller }: FamilyCall): Promise<boolean> {
  if (isAtLeast(caller.role, 'ADMIN') || row.owner_guid === caller.userGuid) return true;
  const writing = objectGrantsOf(db, path, caller.userGuid).where('object_guid', '=', row.guid);
  return (await writing.where('read_only', '=', 0).select('object_guid').executeTakeFirst()) !== undefined;
}

/** Refuses a further object of an account that has `most` of them. */
export async function requireOwnedQuota(db: Db, table: OwnedTable, caller: Caller, most: number): Promise<void> {
  const own = db.selectFrom(table).where('owner_guid', '=', caller.userGuid);
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  if (total >= most) throw tooMany(table, most);
}
