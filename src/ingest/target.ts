// Where the logs of a logger go: the logger with its model and its table, each null where it has gone.

import type { Db } from '#store/kysely.ts';
import { readableTables } from '#store/rows/grants.ts';
import type { Destination } from './intake.ts';

export type Target = NonNullable<Awaited<ReturnType<typeof findTarget>>>;

/** Undefined where the table has gone. */
export function destinationOf(target: Target): Destination | undefined {
  const { guid, model_guid, logger_factory_name, table_name, table_id, layout, compression, schema_code } = target;
  if (table_id === null || layout === null || compression === null) return undefined;
  const table = { id: table_id, name: table_name, layout, compression };
  const origin = { loggerGuid: guid, modelGuid: model_guid };
  return { table, schemaCode: schema_code, origin, protocol: logger_factory_name ?? '' };
}

/** `grantee` is the user whose grants decide what is seen; undefined sees all. */
export function findTarget(db: Db, guid: string, grantee?: string) {
  const target = targets(db).where('loggers.guid', '=', guid);
  const seen = grantee === undefined ? target : target.where('log_tables.id', 'in', readableTables(db, grantee));
  return seen.executeTakeFirst();
}

/** Those of all loggers. */
export const targets = (db: Db) =>
  db
    .selectFrom('loggers')
    .leftJoin('logger_models', 'logger_models.guid', 'loggers.model_guid')
    .leftJoin('log_tables', 'log_tables.name', 'loggers.table_name')
    .select(['loggers.guid', 'loggers.model_guid', 'loggers.enabled', 'loggers.table_name'])
    .select(['logger_models.logger_factory_name', 'logger_models.parser_code'])
    .select(['logger_models.parser_configs', 'logger_models.rules as model_rules'])
    .select(['log_tables.id as table_id', 'log_tables.layout', 'log_tables.compression', 'log_tables.schema_code']);
