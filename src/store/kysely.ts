// Kysely over our connections. Loading it costs more than everything else at start-up together, so it is imported
// with the first query and nothing outside this room imports it for more than its types.

import type { CompiledQuery, Dialect, Kysely, QueryResult } from 'kysely';
import type { Connection, DialectName, Value } from './connection.ts';
import type { Schema } from './schema/schema.ts';

export type Db = Kysely<Schema>;

type Kyselys = typeof import('kysely');

/** Told of each statement before it runs. */
export interface StatementObserver {
  note(statement: CompiledQuery['query']): void;
}

export async function kyselyOver(
  connection: Connection,
  dialect: DialectName,
  observers: readonly StatementObserver[] = [],
): Promise<Db> {
  const kysely = await import('kysely');
  const db = new kysely.Kysely<Schema>({ dialect: dialectOver(connection, dialect, { kysely, observers }) });
  below.set(db, { connection, dialect });
  return db;
}

interface Below {
  readonly connection: Connection;
  readonly dialect: DialectName;
}

const below = new WeakMap<Db, Below>();

/** The connection below, for code of this room that needs no query builder. */
export const connectionOf = (db: Db): Connection => belowOf(db).connection;

/** Says that the unit of `db` has called for all its statements, so that the next unit may begin before they are answered. */
export const sendsNoMore = (db: Db): void => connectionOf(db).sendsNoMore?.();

export const dialectOf = (db: Db): DialectName => belowOf(db).dialect;

function belowOf(db: Db): Below {
  const found = below.get(db);
  if (!found) throw new Error('not one of our databases');
  return found;
}

function dialectOver(
  connection: Connection,
  dialect: DialectName,
  { kysely, observers }: { kysely: Kyselys; observers: readonly StatementObserver[] },
): Dialect {
  const isSqlite = dialect === 'sqlite';
  const session = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      for (const observer of observers) observer.note(query.query);
      // Kysely passes values on unchanged; the schema admits no other types.
      const rows = await connection.all(query.sql, query.parameters as readonly Value[]);
      return { rows: rows as R[] };
    },
    streamQuery: () => {
      throw new Error('streaming is the scanner’s work');
    },
  };
  const nothing = async () => undefined;
  return {
    createAdapter: () => (isSqlite ? new kysely.SqliteAdapter() : new kysely.PostgresAdapter()),
    // Both databases take `?`: our PostgreSQL connection numbers them itself.
    createQueryCompiler: () => new kysely.SqliteQueryCompiler(),
    createIntrospector: (db) => (isSqlite ? new kysely.SqliteIntrospector(db) : new kysely.PostgresIntrospector(db)),
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => session,
      // Units and their savepoints are the store's own: see store.ts.
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      releaseConnection: nothing,
      destroy: nothing,
    }),
  };
}
