// Grants to users and to their groups, on log tables and on objects. Several resources need the SQL, so it stands here.

import type { ExpressionBuilder } from 'kysely';
import type { Db } from '#store/kysely.ts';
import type { GrantRow } from '#store/schema/schema.ts';

interface Holder {
  readonly kind: GrantRow['holder_kind'];
  readonly guid: string;
}

/** The grants of a user on tables, direct or through its groups. */
export const grantsOf = (db: Db, userGuid: string) =>
  db.selectFrom('table_grants').where((eb) => heldBy(eb, db, userGuid));

/** The ids of the tables that a user may read, for `where id in`. */
export const readableTables = (db: Db, userGuid: string) => grantsOf(db, userGuid).select('table_grants.table_id');

/** The grants of a user on objects of a family, direct or through its groups. */
export const objectGrantsOf = (db: Db, family: string, userGuid: string) =>
  db
    .selectFrom('object_grants')
    .where('object_grants.family', '=', family)
    .where((eb) => heldBy(eb, db, userGuid));

/** The guids of the objects that are granted to a user, for `where guid in`. */
export const grantedObjects = (db: Db, family: string, userGuid: string) =>
  objectGrantsOf(db, family, userGuid).select('object_grants.object_guid');

/** Grants end with their holder: the guid may be assigned anew. */
export async function removeGrantsTo(db: Db, { kind, guid }: Holder): Promise<void> {
  await db.deleteFrom('table_grants').where('holder_kind', '=', kind).where('holder_guid', '=', guid).execute();
  await db.deleteFrom('object_grants').where('holder_kind', '=', kind).where('holder_guid', '=', guid).execute();
}

/** Grants end with their object. */
export async function removeGrantsOn(db: Db, family: string, guid: string): Promise<void> {
  await db.deleteFrom('object_grants').where('family', '=', family).where('object_guid', '=', guid).execute();
}

function heldBy(eb: ExpressionBuilder<Held, 'grants'> | unknown, db: Db, userGuid: string) {
  // Both tables of grants have the columns of a holder.
  const grant = eb as ExpressionBuilder<Held, 'grants'>;
  const groups = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', userGuid);
  return grant.or([
    grant.and([grant('holder_kind', '=', 'user'), grant('holder_guid', '=', userGuid)]),
    grant.and([grant('holder_kind', '=', 'group'), grant('holder_guid', 'in', groups)]),
  ]);
}

interface Held {
  grants: GrantRow;
}
