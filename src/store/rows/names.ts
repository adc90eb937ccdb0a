// Uniqueness of names. Names are compared in their normalized form; rows that an earlier version stored without
// normalization are normalized for the comparison and never rewritten.

import { normalizeName } from '#kernel/text/names.ts';
import type { DialectName, Value } from '#store/connection.ts';
import { connectionOf, type Db, dialectOf } from '#store/kysely.ts';
import { mayBeInOtherForm } from '#store/migrations/0050-other-forms.ts';
import type { Schema } from '#store/schema/schema.ts';

type Named = { [T in keyof Schema]: Schema[T] extends { name: string } ? T : never }[keyof Schema];

interface NameScope {
  /** Names are unique among rows with these values; among all rows when empty. */
  readonly within?: Readonly<Record<string, Value>>;
  /** Key of the row that is to have the name. */
  readonly except?: string | undefined;
  /** The key column. */
  readonly key?: string;
}

/**
 * Keeps the index of the scope out of the second read: SQLite would rather read all rows of the scope by an index on scope and
 * name than the few rows of the index of other forms. PostgreSQL decides by its statistics.
 */
const NO_INDEX: Readonly<Record<DialectName, string>> = { sqlite: '+', postgres: '' };

/**
 * True when another row has the name and the row itself does not have it already. A unit may act on the answer: units
 * are serialized on all nodes. The statement is sent before this returns, so what the caller sends next comes after it.
 */
export async function isNameTaken(db: Db, table: Named, name: string, scope: NameScope = {}): Promise<boolean> {
  const wanted = normalizeName(name);
  const { sql, values } = namesLike(table, wanted, { ...scope, dialect: dialectOf(db) });
  const alike = await connectionOf(db).all(sql, values);
  const holders = alike.filter((row) => normalizeName(String(row.name)) === wanted).map((row) => row.key);
  return holders.length > 0 && (scope.except === undefined || !holders.includes(scope.except));
}

/**
 * Rows that may have the name. Two reads of an index in one statement: an `or` of both conditions would read all rows. Without
 * Kysely, because every new object asks for them.
 */
export function namesLike(
  table: Named,
  wanted: string,
  { within = {}, key = 'guid', dialect }: NameScope & { readonly dialect: DialectName },
): { readonly sql: string; readonly values: readonly Value[] } {
  const scope = (prefix: string) => Object.keys(within).map((column) => ` and ${prefix}${column} = ?`);
  const rows = `select name, ${key} as key from ${table} where`;
  const named = `${rows} name = ?${scope('').join('')}`;
  const inOtherForms = `${rows} ${mayBeInOtherForm(dialect)}${scope(NO_INDEX[dialect]).join('')}`;
  const sql = `${named} union all ${inOtherForms}`;
  return { sql, values: [wanted, ...Object.values(within), ...Object.values(within)] };
}
