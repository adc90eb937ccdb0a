// The SQL of logger models.

import type { Db } from '#store/kysely.ts';
import { containing, type Page, type Paging } from '#store/lists.ts';
import type { LoggerModelRow } from '#store/schema.ts';

export async function listModels(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<LoggerModelRow>> {
  const matching = db.selectFrom('logger_models').where(containing('logger_models', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const findModel = (db: Db, guid: string): Promise<LoggerModelRow | undefined> =>
  db.selectFrom('logger_models').selectAll().where('guid', '=', guid).executeTakeFirst();

export async function insertModel(db: Db, model: LoggerModelRow): Promise<void> {
  await db.insertInto('logger_models').values(model).execute();
}

export async function updateModel(db: Db, guid: string, changes: Partial<LoggerModelRow>): Promise<void> {
  await db.updateTable('logger_models').set(changes).where('guid', '=', guid).execute();
}

export async function removeModel(db: Db, guid: string): Promise<void> {
  await db.deleteFrom('logger_models').where('guid', '=', guid).execute();
}

/** The loggers of a model. */
export const loggersOf = (db: Db, guid: string): Promise<{ guid: string; name: string }[]> =>
  db.selectFrom('loggers').select(['guid', 'name']).where('model_guid', '=', guid).orderBy('name').execute();
