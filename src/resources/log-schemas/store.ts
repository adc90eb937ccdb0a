// The SQL of log schemas.

import type { Db } from '#store/kysely.ts';
import { containing, type Page, type Paging } from '#store/lists.ts';
import type { LogSchemaRow } from '#store/schema.ts';

export async function listLogSchemas(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<LogSchemaRow>> {
  const matching = db.selectFrom('log_schemas').where(containing('log_schemas', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('code').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const findLogSchema = (db: Db, code: string): Promise<LogSchemaRow | undefined> =>
  db.selectFrom('log_schemas').selectAll().where('code', '=', code).executeTakeFirst();

/** The code of the schema that has this name. */
export async function codeOfName(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('log_schemas').select('code').where('name', '=', name).executeTakeFirst();
  return row?.code;
}

export async function insertLogSchema(db: Db, schema: LogSchemaRow): Promise<void> {
  await db.insertInto('log_schemas').values(schema).execute();
}

export async function updateLogSchema(db: Db, code: string, changes: Partial<LogSchemaRow>): Promise<void> {
  await db.updateTable('log_schemas').set(changes).where('code', '=', code).execute();
}

/** Who refers to it keeps the code. */
export async function removeLogSchema(db: Db, code: string): Promise<void> {
  await db.deleteFrom('log_schemas').where('code', '=', code).execute();
}

/** The logger models with a rule that makes logs of a schema. */
export async function modelsWith(db: Db, code: string): Promise<{ guid: string; name: string }[]> {
  const models = await db
    .selectFrom('logger_models')
    .select(['guid', 'name', 'rules'])
    .where('rules', 'is not', null)
    .orderBy('name')
    .execute();
  return models
    .filter(({ rules }) => JSON.parse(rules ?? '[]').some((rule: Rule) => rule.log_schema_code === code))
    .map(({ guid, name }) => ({ guid, name }));
}

interface Rule {
  readonly log_schema_code?: unknown;
}

/** The names of the tables that refer to a schema. */
export async function tablesWith(db: Db, code: string): Promise<string[]> {
  const tables = db.selectFrom('log_tables').select('name').where('schema_code', '=', code).orderBy('name');
  return (await tables.execute()).map(({ name }) => name);
}
