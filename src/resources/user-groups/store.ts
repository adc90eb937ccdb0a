// The SQL of user groups.

import type { Db } from '#store/kysely.ts';
import { containing, inChunks, type Page, type Paging } from '#store/lists.ts';
import type { UserGroupRow } from '#store/schema.ts';
import { removeGrantsTo } from '#store/table-grants.ts';
import type { Sight, UserGroupView } from './model.ts';

export interface WantedGroups extends Paging {
  readonly sight: Sight;
  readonly keywords: string | undefined;
}

export async function listGroups(db: Db, wanted: WantedGroups): Promise<Page<UserGroupView>> {
  const matching = visible(db, wanted.sight).where(containing('user_groups', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching
    .orderBy('user_groups.name')
    .orderBy('user_groups.guid')
    .limit(wanted.limit)
    .offset(wanted.offset);
  return { total, rows: await withUsers(db, await selected(page).execute()) };
}

export async function findGroup(db: Db, guid: string, sight: Sight): Promise<UserGroupView | undefined> {
  const rows = await selected(visible(db, sight).where('user_groups.guid', '=', guid)).execute();
  return (await withUsers(db, rows))[0];
}

export async function insertGroup(db: Db, group: UserGroupRow): Promise<void> {
  await db.insertInto('user_groups').values(group).execute();
}

export async function updateGroup(db: Db, guid: string, changes: Partial<UserGroupRow>): Promise<void> {
  await db.updateTable('user_groups').set(changes).where('guid', '=', guid).execute();
}

/** Memberships and grants go with it. */
export async function removeGroup(db: Db, guid: string): Promise<void> {
  await removeGrantsTo(db, { kind: 'group', guid });
  await db.deleteFrom('user_groups').where('guid', '=', guid).execute();
}

export const companyExists = async (db: Db, guid: string): Promise<boolean> =>
  (await db.selectFrom('companies').select('guid').where('guid', '=', guid).executeTakeFirst()) !== undefined;

/** Makes `userGuids` the members. Users that do not exist, or are of another company than `company`, are left out. */
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

function visible(db: Db, sight: Sight) {
  const groups = db.selectFrom('user_groups').innerJoin('companies', 'companies.guid', 'user_groups.company_guid');
  if (sight.company !== undefined) return groups.where('user_groups.company_guid', '=', sight.company);
  if (sight.member === undefined) return groups;
  const own = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', sight.member);
  return groups.where('user_groups.guid', 'in', own);
}

const selected = (groups: ReturnType<typeof visible>) =>
  groups.selectAll('user_groups').select('companies.name as company_name');

async function withUsers<T extends { guid: string }>(db: Db, groups: readonly T[]) {
  const memberships = await inChunks(
    groups.map(({ guid }) => guid),
    (chunk) =>
      db
        .selectFrom('user_group_members')
        .selectAll()
        .where('group_guid', 'in', [...chunk])
        .orderBy('user_guid')
        .execute(),
  );
  const users = Map.groupBy(memberships, ({ group_guid }) => group_guid);
  return groups.map((group) => ({
    ...group,
    user_guids: (users.get(group.guid) ?? []).map(({ user_guid }) => user_guid),
  }));
}
