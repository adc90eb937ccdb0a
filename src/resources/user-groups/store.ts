// The SQL of the users in groups.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';

/** Replaces the members by `userGuids`. Missing users, and users outside of `company`, are ignored. */
export async function setUsers(
  db: Db,
  group_guid: string,
  userGuids: readonly string[],
  company?: string,
): Promise<void> {
  await db.deleteFrom('user_group_members').where('group_guid', '=', group_guid).execute();
  const known = await inChunks([...new Set(userGuids)], (chunk) => {
    const users = db
      .selectFrom('users')
      .select('guid')
      .where('guid', 'in', [...chunk]);
    return (company === undefined ? users : users.where('company_guid', '=', company)).execute();
  });
  for (const { guid } of known) {
    await db.insertInto('user_group_members').values({ group_guid, user_guid: guid }).execute();
  }
}

/** The members of each group, in the order of their guids. */
export async function usersOf(db: Db, groups: readonly string[]): Promise<string[][]> {
  const memberships = await inChunks(groups, (chunk) =>
    db
      .selectFrom('user_group_members')
      .selectAll()
      .where('group_guid', 'in', [...chunk])
      .orderBy('user_guid')
      .execute(),
  );
  const users = Map.groupBy(memberships, ({ group_guid }) => group_guid);
  return groups.map((guid) => (users.get(guid) ?? []).map(({ user_guid }) => user_guid));
}
