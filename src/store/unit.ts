// One unit inside the transaction of its group: a savepoint, so that it can be undone alone.

import type { Connection, DialectName, Transaction } from './connection.ts';
import { type Db, kyselyOver } from './kysely.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A transaction and the query builder over its connection; both end together. */
export interface Open extends Pick<Transaction, 'connection'> {
  /** Created for the first unit that needs it. */
  db(): Promise<Db>;
}

export function openedOver(connection: Connection, dialect: DialectName): Open {
  let db: Promise<Db> | undefined;
  return {
    connection,
    db() {
      db ??= kyselyOver(connection, dialect);
      return db;
    },
  };
}

export async function inSavepoint(
  { connection, db }: Open,
  work: (db: Db) => Promise<unknown>,
  failed?: (error: unknown) => void,
): Promise<Outcome> {
  const over = await db();
  await connection.exec('savepoint unit');
  try {
    const value = await work(over);
    await connection.exec('release unit');
    return { value };
  } catch (error) {
    await connection.exec('rollback to unit; release unit');
    failed?.(error);
    return { error };
  }
}
