// One unit inside the transaction of its group: a savepoint, so that it can be undone alone. Nobody waits for the answers to a
// savepoint and its release: they are sent together with the statements that follow, because all other writers wait meanwhile.
// The savepoint of a unit that has succeeded is released by the next one, or by the commit.

import type { Connection, DialectName, Transaction } from './connection.ts';
import { type Db, kyselyOver, type StatementObserver } from './kysely.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A transaction and the query builder over its connection; both end together. */
export interface Open extends Pick<Transaction, 'connection'> {
  /** Created for the first unit that needs it. */
  db(): Promise<Db>;
  /** Sends a statement without waiting for its answer. */
  send(sql: string): void;
  /** Whether the savepoint of a unit that has succeeded is still there. */
  hasSavepoint: boolean;
  /** Rejects when one of the statements that were sent so far has failed. */
  readonly sent: Promise<unknown>;
  /** How many statements have failed. */
  readonly failures: number;
}

export function openedOver(below: Connection, dialect: DialectName, observer?: StatementObserver): Open {
  let db: Promise<Db> | undefined;
  let failures = 0;
  const connection = watched(below, () => {
    failures += 1;
  });
  const pending: Promise<void>[] = [];
  return {
    connection,
    hasSavepoint: false,
    db() {
      db ??= kyselyOver(connection, dialect, observer);
      return db;
    },
    send(sql) {
      const answered = below.exec(sql);
      // Told by `sent`.
      answered.catch(() => undefined);
      pending.push(answered);
    },
    get sent() {
      return Promise.all(pending);
    },
    get failures() {
      return failures;
    },
  };
}

export async function inSavepoint(
  open: Open,
  work: (db: Db) => Promise<unknown>,
  failed?: (error: unknown) => void,
): Promise<Outcome> {
  const over = await open.db();
  const failuresBefore = open.failures;
  open.send(open.hasSavepoint ? 'release unit; savepoint unit' : 'savepoint unit');
  open.hasSavepoint = false;
  try {
    const value = await work(over);
    // PostgreSQL refuses everything after a failed statement, also where the work takes no notice of it.
    if (open.failures > failuresBefore) await open.connection.exec('release unit');
    else open.hasSavepoint = true;
    return { value };
  } catch (error) {
    await open.connection.exec('rollback to unit; release unit');
    failed?.(error);
    return { error };
  }
}

function watched(connection: Connection, failed: () => void): Connection {
  const watch = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      failed();
      throw error;
    }
  };
  return {
    all: (sql, values) => watch(connection.all(sql, values)),
    exec: (sql) => watch(connection.exec(sql)),
    insertMany: (table, columns, rows) => watch(connection.insertMany(table, columns, rows)),
    updateMany: (table, columns, rows) => watch(connection.updateMany(table, columns, rows)),
  };
}
