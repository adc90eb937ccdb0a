// Who may see which log tables: grants to users and to their groups. Several resources ask, so the SQL lives here.

import type { Db } from './kysely.ts';

export interface Holder {
  readonly kind: 'user' | 'group';
  readonly guid: string;
}

/** The grants that a user has, itself or through its groups. */
export function grantsOf(db: Db, userGuid: string) {
  const groups = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', userGuid);
  return db
    .selectFrom('table_grants')
    .where((eb) =>
      eb.or([
        eb.and([eb('holder_kind', '=', 'user'), eb('holder_guid', '=', userGuid)]),
        eb.and([eb('holder_kind', '=', 'group'), eb('holder_guid', 'in', groups)]),
      ]),
    );
}

/** The ids of the tables that a user may read, for `where id in`. */
export const readableTables = (db: Db, userGuid: string) => grantsOf(db, userGuid).select('table_grants.table_id');

/** What was granted to someone goes with them: their guid may come to name somebody else. */
export async function removeGrantsTo(db: Db, { kind, guid }: Holder): Promise<void> {
  await db.deleteFrom('table_grants').where('holder_kind', '=', kind).where('holder_guid', '=', guid).execute();
}
