// A connection of a thread that keeps derived data beside the metadata: outside of groups, and without the writers' lock, so
// that it never holds up a change. In SQLite it writes to the search file alone.

import type { Connection } from './connection.ts';
import { postgresConnection } from './postgres/postgres.ts';
import { openSearchFile, sqliteConnection } from './sqlite/sqlite.ts';

export interface DerivedData extends AsyncDisposable {
  readonly connection: Connection;
  /** For the rest of the transaction; false where another process has it. The search file of SQLite has one process. */
  lock(): Promise<boolean>;
}

/** Of those who write derived data. */
export const DERIVED_LOCK = 0x56494758;

/** `location` is a data folder, or a `postgres://` URL. */
export function openDerivedData(location: string): Promise<DerivedData> {
  return /^postgres(ql)?:\/\//.test(location) ? onPostgres(location) : onSqlite(location);
}

async function onSqlite(folder: string): Promise<DerivedData> {
  const database = openSearchFile(folder);
  return {
    connection: sqliteConnection(database),
    lock: async () => true,
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

async function onPostgres(url: string): Promise<DerivedData> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'vigil' });
  // A broken connection fails the next statement; the event itself carries nothing new.
  client.on('error', () => undefined);
  await client.connect();
  return {
    async lock() {
      const { rows } = await client.query(`select pg_try_advisory_xact_lock(${DERIVED_LOCK}) as is_free`);
      return rows[0]?.is_free === true;
    },
    connection: postgresConnection(async (text, values) => (await client.query(text, [...values])).rows),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
