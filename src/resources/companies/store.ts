// The SQL of companies.

import type { Db } from '#store/kysely.ts';
import { containing, type Page, type Paging } from '#store/lists.ts';
import type { CompanyRow } from '#store/schema.ts';
import { removeGrantsTo } from '#store/table-grants.ts';

export async function listCompanies(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<CompanyRow>> {
  const matching = db.selectFrom('companies').where(containing('companies', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const findCompany = (db: Db, guid: string): Promise<CompanyRow | undefined> =>
  db.selectFrom('companies').selectAll().where('guid', '=', guid).executeTakeFirst();

export async function insertCompany(db: Db, company: CompanyRow): Promise<void> {
  await db.insertInto('companies').values(company).execute();
}

export async function updateCompany(db: Db, guid: string, changes: Partial<CompanyRow>): Promise<void> {
  await db.updateTable('companies').set(changes).where('guid', '=', guid).execute();
}

export async function removeCompany(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('companies').where('guid', '=', guid).execute();
}

/** Users, or groups without users, that are left in it. */
export async function isInUse(db: Db, guid: string): Promise<boolean> {
  const user = db.selectFrom('users').select('guid').where('company_guid', '=', guid).limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

/** Groups of a company without users have no members and no meaning: they go with it. */
export async function removeGroupsOf(db: Db, guid: string): Promise<void> {
  const groups = await db.selectFrom('user_groups').select('guid').where('company_guid', '=', guid).execute();
  for (const group of groups) await removeGrantsTo(db, { kind: 'group', guid: group.guid });
  await db.deleteFrom('user_groups').where('company_guid', '=', guid).execute();
}
