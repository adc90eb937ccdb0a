// The SQL of table groups.

import type { Db } from '#store/kysely.ts';
import { containing, type Page, type Paging } from '#store/lists.ts';
import type { TableGroupRow } from '#store/schema.ts';

export async function listTableGroups(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<TableGroupRow>> {
  const matching = db.selectFrom('table_groups').where(containing('table_groups', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const findTableGroup = (db: Db, guid: string): Promise<TableGroupRow | undefined> =>
  db.selectFrom('table_groups').selectAll().where('guid', '=', guid).executeTakeFirst();

export async function insertTableGroup(db: Db, group: TableGroupRow): Promise<void> {
  await db.insertInto('table_groups').values(group).execute();
}

export async function updateTableGroup(db: Db, guid: string, changes: Partial<TableGroupRow>): Promise<void> {
  await db.updateTable('table_groups').set(changes).where('guid', '=', guid).execute();
}

/** Its tables are in no group then; its child groups move up to its parent. */
export async function removeTableGroup(db: Db, { guid, parent_guid }: TableGroupRow): Promise<void> {
  await db.updateTable('log_tables').set({ group_guid: null }).where('group_guid', '=', guid).execute();
  await db.updateTable('table_groups').set({ parent_guid }).where('parent_guid', '=', guid).execute();
  await db.deleteFrom('table_groups').where('guid', '=', guid).execute();
}

/** Every group that lies in another one, with that other one. */
export async function parents(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('table_groups')
    .select(['guid', 'parent_guid'])
    .where('parent_guid', 'is not', null)
    .$narrowType<{ parent_guid: string }>()
    .execute();
  return new Map(rows.map(({ guid, parent_guid }) => [guid, parent_guid]));
}
