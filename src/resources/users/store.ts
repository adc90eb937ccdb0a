// The SQL of users.

import type { Db } from '#store/kysely.ts';
import { removeGrantsTo } from '#store/rows/grants.ts';
import { containsKeyword, inChunks, type Page, type Paging } from '#store/rows/lists.ts';
import type { UserRow } from '#store/schema/schema.ts';
import type { UserScope, UserView } from './model.ts';

interface UserFilter extends Paging {
  readonly visibleTo: UserScope;
  readonly keywords: string | undefined;
  readonly company: string | undefined;
  readonly guids: readonly string[] | undefined;
}

export async function listUsers(db: Db, wanted: UserFilter): Promise<Page<UserView>> {
  let matching = visible(db, wanted.visibleTo).where(containsKeyword('users', wanted.keywords));
  if (wanted.company !== undefined) matching = matching.where('users.company_guid', '=', wanted.company);
  if (wanted.guids !== undefined) matching = matching.where('users.guid', 'in', [...wanted.guids]);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('users.name').orderBy('users.guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await withGroups(db, await selected(page).execute()) };
}

export async function findUser(db: Db, guid: string, visibleTo: UserScope): Promise<UserView | undefined> {
  const rows = await selected(visible(db, visibleTo).where('users.guid', '=', guid)).execute();
  return (await withGroups(db, rows))[0];
}

export async function insertUser(db: Db, user: UserRow): Promise<void> {
  await db.insertInto('users').values(user).execute();
}

export async function updateUser(db: Db, guid: string, user: Partial<UserRow>): Promise<void> {
  await db.updateTable('users').set(user).where('guid', '=', guid).execute();
}

/** Also removes keys, sessions, memberships and grants, and ends uploads; bytes that are left behind are swept. */
export async function removeUser(db: Db, guid: string): Promise<void> {
  await removeGrantsTo(db, { kind: 'user', guid });
  await db.deleteFrom('upload_streams').where('user_guid', '=', guid).execute();
  await db.deleteFrom('users').where('guid', '=', guid).execute();
}

export async function countMasters(db: Db): Promise<number> {
  const masters = db.selectFrom('users').where('role', '=', 'MASTER');
  return (await masters.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
}

/** The groups among `guids` that exist, in `company` where one is given. */
export async function existingGroups(db: Db, guids: readonly string[], company?: string): Promise<Set<string>> {
  const found = await inChunks(guids, (chunk) => {
    const groups = db
      .selectFrom('user_groups')
      .select('guid')
      .where('guid', 'in', [...chunk]);
    return (company === undefined ? groups : groups.where('company_guid', '=', company)).execute();
  });
  return new Set(found.map(({ guid }) => guid));
}

export async function setGroups(db: Db, userGuid: string, groups: readonly string[]): Promise<void> {
  await db.deleteFrom('user_group_members').where('user_guid', '=', userGuid).execute();
  for (const group_guid of new Set(groups)) {
    await db.insertInto('user_group_members').values({ group_guid, user_guid: userGuid }).execute();
  }
}

function visible(db: Db, visibleTo: UserScope) {
  const users = db.selectFrom('users').innerJoin('companies', 'companies.guid', 'users.company_guid');
  if (visibleTo.guid !== undefined) return users.where('users.guid', '=', visibleTo.guid);
  return visibleTo.company === undefined ? users : users.where('users.company_guid', '=', visibleTo.company);
}

type Visible = ReturnType<typeof visible>;

function selected(users: Visible) {
  return users
    .selectAll('users')
    .select('companies.name as company_name')
    .select((eb) =>
      eb
        .exists(eb.selectFrom('api_keys').select('api_keys.guid').whereRef('api_keys.user_guid', '=', 'users.guid'))
        .as('has_api_key'),
    );
}

async function withGroups<T extends { guid: string; has_api_key: unknown }>(db: Db, users: readonly T[]) {
  const memberships = await inChunks(
    users.map(({ guid }) => guid),
    (chunk) =>
      db
        .selectFrom('user_group_members')
        .selectAll()
        .where('user_guid', 'in', [...chunk])
        .orderBy('group_guid')
        .execute(),
  );
  const groups = Map.groupBy(memberships, ({ user_guid }) => user_guid);
  return users.map((user) => ({
    ...user,
    has_api_key: Boolean(user.has_api_key),
    group_guids: (groups.get(user.guid) ?? []).map(({ group_guid }) => group_guid),
  }));
}
