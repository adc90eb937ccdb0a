// The SQL of loggers. `grantee` restricts the result to tables granted to a user; undefined sees all.

import type { Insertable, Updateable } from 'kysely';
import type { Db } from '#store/kysely.ts';
import { readableTables } from '#store/rows/grants.ts';
import { containsKeyword, type Page, type Paging } from '#store/rows/lists.ts';
import type { LoggerTable, LogTableRow } from '#store/schema/schema.ts';
import type { LoggerView } from './model.ts';

interface LoggerFilter extends Paging {
  readonly grantee: string | undefined;
  readonly keywords: string | undefined;
  /** The schema of the logger's table. */
  readonly schema_code: string | undefined;
  readonly group_guid: string | undefined;
}

export async function listLoggers(db: Db, wanted: LoggerFilter): Promise<Page<LoggerView>> {
  let matching = visible(db, wanted.grantee).where(containsKeyword('loggers', wanted.keywords));
  if (wanted.schema_code !== undefined) matching = matching.where('log_tables.schema_code', '=', wanted.schema_code);
  if (wanted.group_guid !== undefined) matching = matching.where('loggers.group_guid', '=', wanted.group_guid);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('loggers.name').orderBy('loggers.guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await selected(page).execute() };
}

export const findLogger = (db: Db, guid: string, grantee?: string): Promise<LoggerView | undefined> =>
  selected(visible(db, grantee).where('loggers.guid', '=', guid)).executeTakeFirst();

export async function insertLogger(db: Db, logger: Insertable<LoggerTable>): Promise<void> {
  await db.insertInto('loggers').values(logger).execute();
}

export async function updateLogger(db: Db, guid: string, changes: Updateable<LoggerTable>): Promise<void> {
  await db.updateTable('loggers').set(changes).where('guid', '=', guid).execute();
}

/** Also removes its followed files. */
export async function removeLogger(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('loggers').where('guid', '=', guid).execute();
}

export async function factoryNameOf(db: Db, modelGuid: string): Promise<string | null> {
  const model = await db
    .selectFrom('logger_models')
    .select('logger_factory_name')
    .where('guid', '=', modelGuid)
    .executeTakeFirst();
  return model?.logger_factory_name ?? null;
}

export const findTable = (db: Db, name: string): Promise<LogTableRow | undefined> =>
  db.selectFrom('log_tables').selectAll().where('name', '=', name).executeTakeFirst();

/** Also removes its grants and the catalog of its segments. */
export async function removeTable(db: Db, id: number): Promise<void> {
  await db.deleteFrom('log_tables').where('id', '=', id).execute();
}

/** The loggers that write to a table. */
export async function loggersOf(db: Db, tableName: string): Promise<string[]> {
  const rows = await db.selectFrom('loggers').select('guid').where('table_name', '=', tableName).execute();
  return rows.map(({ guid }) => guid);
}

function visible(db: Db, grantee: string | undefined) {
  const loggers = db
    .selectFrom('loggers')
    .leftJoin('logger_models', 'logger_models.guid', 'loggers.model_guid')
    .leftJoin('logger_groups', 'logger_groups.guid', 'loggers.group_guid')
    .leftJoin('log_tables', 'log_tables.name', 'loggers.table_name');
  return grantee === undefined ? loggers : loggers.where('log_tables.id', 'in', readableTables(db, grantee));
}

const selected = (loggers: ReturnType<typeof visible>) =>
  loggers
    .selectAll('loggers')
    .select(['logger_models.name as model_name', 'logger_models.logger_factory_name'])
    .select('logger_groups.name as group_name')
    .select('log_tables.id as table_id');
