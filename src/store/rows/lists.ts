// Conditions shared by lists and uniqueness checks.

import type { ExpressionBuilder } from 'kysely';
import { searchKeyword } from '#kernel/text/search-text.ts';
import type { Row } from '#store/connection.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import type { Schema } from '#store/schema/schema.ts';

export interface Paging {
  readonly offset: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

type Searchable = { [T in keyof Schema]: Schema[T] extends { search: string } ? T : never }[keyof Schema];

/** A condition for `where`: the search text of the row contains the keyword; always true without a keyword. */
export function containsKeyword<T extends Searchable>(table: T, keywords: string | undefined) {
  return (eb: ExpressionBuilder<Schema, T>) => {
    if (keywords === undefined) return eb.lit(true);
    // The generic table hides from Kysely that every Searchable has this column.
    const column = `${table}.search` as never;
    return eb(eb.fn<number>('instr', [eb.ref(column), eb.val(searchKeyword(keywords))]), '>', 0);
  };
}

type Keyed = { [T in keyof Schema]: Schema[T] extends { guid: string } ? T : never }[keyof Schema];

/** The row with this key, read by one fixed statement: the query builder takes longer than the database for it. */
export async function rowWithKey(
  db: Db,
  { table, column, key }: { table: keyof Schema; column: string; key: string },
): Promise<Row | undefined> {
  const [row] = await connectionOf(db).all(`select * from ${table} where ${column} = ?`, [key]);
  return row;
}

/** True when another row has this value. A unit may act on the answer: units are serialized on all nodes. */
export async function isTaken<T extends Keyed>(
  db: Db,
  table: T,
  wanted: Partial<Schema[T]>,
  except?: string,
): Promise<boolean> {
  // All keyed tables agree in `guid`; the wanted columns were checked by the parameter's type.
  let query = db.selectFrom(table as 'companies').select('guid');
  for (const [column, value] of Object.entries(wanted)) query = query.where(column as 'name', '=', value as string);
  if (except !== undefined) query = query.where('guid', '!=', except);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Calls `work` with at most 500 at a time: both databases limit the number of values in a statement. */
export async function inChunks<T, R>(items: readonly T[], work: (chunk: readonly T[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let from = 0; from < items.length; from += 500) found.push(...(await work(items.slice(from, from + 500))));
  return found;
}
