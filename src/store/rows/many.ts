// Writes many rows with little work for each. Kysely would build a tree of every value and SQL text from that, which
// takes longer than SQLite needs to insert them.

import type { Insertable } from 'kysely';
import type { Key, Value } from '#store/connection.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import type { Schema } from '#store/schema/schema.ts';

/** Rows per statement: other work runs in between. */
const ROWS_AT_ONCE = 500;

/** All rows have the same columns. */
export async function insertEach<T extends keyof Schema>(
  db: Db,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
): Promise<void> {
  // The schema admits only types that a connection takes.
  const raw = rows as readonly Readonly<Record<string, Value>>[];
  const names = Object.keys(raw[0] ?? {});
  await eachPart(raw, names, (columns, values) => connectionOf(db).insertMany(table, columns, values));
}

/** Sets all other columns, which hold numbers, in the rows with these values of `key`. */
export async function updateEach<T extends keyof Schema>(
  db: Db,
  table: T,
  key: keyof Schema[T] & string,
  rows: readonly Readonly<Record<string, Key>>[],
): Promise<void> {
  const others = Object.keys(rows[0] ?? {}).filter((column) => column !== key);
  await eachPart(rows, [key, ...others], (columns, values) => connectionOf(db).updateMany(table, columns, values));
}

async function eachPart<V extends Value>(
  rows: readonly Readonly<Record<string, V>>[],
  columns: readonly string[],
  write: (columns: readonly string[], values: readonly (readonly V[])[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE);
    await write(
      columns,
      part.map((row) => columns.map((column) => row[column] as V)),
    );
  }
}
