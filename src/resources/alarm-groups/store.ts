// The SQL of the members of alarm groups.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';

/** In the order of the members, by group. */
export const membersOf = (db: Db, groups: readonly string[]): Promise<AlarmMemberRow[]> =>
  inChunks(groups, (some) =>
    db
      .selectFrom('alarm_members')
      .selectAll()
      .where('group_guid', 'in', [...some])
      .orderBy('group_guid')
      .orderBy('ordinal')
      .execute(),
  );

export async function setMembers(db: Db, group: string, members: readonly AlarmMemberRow[]): Promise<void> {
  await db.deleteFrom('alarm_members').where('group_guid', '=', group).execute();
  for (const member of members) await db.insertInto('alarm_members').values(member).execute();
}
