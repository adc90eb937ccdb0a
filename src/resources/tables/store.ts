// The SQL of tables.

import type { Updateable } from 'kysely';
import type { Db } from '#store/kysely.ts';
import { readableTables } from '#store/rows/grants.ts';
import { containsKeyword, type Page, type Paging } from '#store/rows/lists.ts';
import type { LogTableRow, LogTableTable } from '#store/schema/schema.ts';

/** The columns of a record, with the names of references. */
export type TableView = Pick<LogTableRow, (typeof COLUMNS)[number]> & {
  readonly group_name: string | null;
  readonly crypto_profile_name: string | null;
  readonly alarm_group_name: string | null;
};

const COLUMNS = [
  'id',
  'name',
  'layout',
  'compression',
  'retention',
  'group_guid',
  'schema_code',
  'crypto_profile_guid',
  'encrypted',
  'expect_every',
  'alarm_group_guid',
] as const;

interface TableFilter extends Paging {
  /** Restricts to tables granted to this user; undefined sees all. */
  readonly grantee: string | undefined;
  readonly keywords: string | undefined;
  readonly schema_code: string | undefined;
  readonly table_name: string | undefined;
  readonly group_guid: string | undefined;
}

export async function listTables(db: Db, wanted: TableFilter): Promise<Page<TableView>> {
  let matching = visible(db, wanted.grantee).where(containsKeyword('log_tables', wanted.keywords));
  if (wanted.schema_code !== undefined) matching = matching.where('log_tables.schema_code', '=', wanted.schema_code);
  if (wanted.table_name !== undefined) matching = matching.where('log_tables.name', '=', wanted.table_name);
  if (wanted.group_guid !== undefined) matching = matching.where('log_tables.group_guid', '=', wanted.group_guid);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('log_tables.name').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await selected(page).execute() };
}

export const findTable = (db: Db, name: string, grantee?: string): Promise<TableView | undefined> =>
  selected(visible(db, grantee).where('log_tables.name', '=', name)).executeTakeFirst();

export async function updateTable(db: Db, id: number, changes: Updateable<LogTableTable>): Promise<void> {
  await db.updateTable('log_tables').set(changes).where('id', '=', id).execute();
}

/** Also removes its grants, the catalog of its segments, and what uploads into it have ended with. */
export async function removeTable(db: Db, id: number): Promise<void> {
  await db.deleteFrom('upload_streams').where('table_id', '=', id).where('outcome', 'is not', null).execute();
  await db.deleteFrom('log_tables').where('id', '=', id).execute();
}

/** The names of the loggers that write to a table. */
export async function loggersOf(db: Db, tableName: string): Promise<string[]> {
  const loggers = db.selectFrom('loggers').select('name').where('table_name', '=', tableName).orderBy('name');
  return (await loggers.execute()).map(({ name }) => name);
}

function visible(db: Db, grantee: string | undefined) {
  const tables = db
    .selectFrom('log_tables')
    .leftJoin('table_groups', 'table_groups.guid', 'log_tables.group_guid')
    .leftJoin('crypto_profiles', 'crypto_profiles.guid', 'log_tables.crypto_profile_guid')
    .leftJoin('alarm_groups', 'alarm_groups.guid', 'log_tables.alarm_group_guid');
  if (grantee === undefined) return tables;
  return tables.where('log_tables.id', 'in', readableTables(db, grantee));
}

const selected = (tables: ReturnType<typeof visible>) =>
  tables
    .select(COLUMNS.map((column) => `log_tables.${column}` as const))
    .select([
      'table_groups.name as group_name',
      'crypto_profiles.name as crypto_profile_name',
      'alarm_groups.name as alarm_group_name',
    ]);
