// Changes many rows, each to values of its own, with few statements. Both databases take a list of rows to update from.

import type { Db } from './kysely.ts';
import type { Schema } from './schema.ts';

const ROWS_PER_STATEMENT = 500;

/** Sets `columns`, all of them numbers, of the rows with these values of `key`, which is a number too. */
export async function updateEach<T extends keyof Schema>(
  db: Db,
  table: T,
  key: keyof Schema[T] & string,
  rows: readonly Readonly<Record<string, number>>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { sql } = await import('kysely');
  const columns = Object.keys(first).filter((column) => column !== key);
  const sets = columns.map((column, at) => sql`${sql.ref(column)} = given.${sql.ref(`column${at + 2}`)}`);
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const values = rows.slice(from, from + ROWS_PER_STATEMENT).map((row) => {
      // Without a type PostgreSQL takes a parameter in a list of rows for text.
      const cells = [key, ...columns].map((column) => sql`cast(${row[column]} as bigint)`);
      return sql`(${sql.join(cells)})`;
    });
    await sql`update ${sql.table(table)} set ${sql.join(sets)} from (values ${sql.join(values)}) as given
      where ${sql.ref(`${table}.${key}`)} = given.column1`.execute(db);
  }
}
