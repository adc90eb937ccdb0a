// Uniqueness of names. Names are compared in their normalized form; rows that an earlier version stored without
// normalization are normalized for the comparison and never rewritten.

import { normalizeName } from '#kernel/names.ts';
import type { Db } from './kysely.ts';
import type { Schema } from './schema.ts';

type Named = { [T in keyof Schema]: Schema[T] extends { name: string } ? T : never }[keyof Schema];

interface NameScope {
  /** Names are unique among rows with these values; among all rows when empty. */
  readonly within?: Readonly<Record<string, unknown>>;
  /** Key of the row that is to have the name. */
  readonly except?: string | undefined;
  /** The key column. */
  readonly key?: string;
}

/**
 * True when another row has the name and the row itself does not have it already. A unit may act on the answer: units
 * are serialized on all nodes.
 */
export async function isNameTaken(db: Db, table: Named, name: string, scope: NameScope = {}): Promise<boolean> {
  const wanted = normalizeName(name);
  const { except, key = 'guid' } = scope;
  const alike = await namesLike(db, table, wanted, scope).execute();
  const holders = alike.filter((row) => normalizeName(row.name) === wanted).map((row) => row[key as 'guid']);
  return holders.length > 0 && (except === undefined || !holders.includes(except));
}

/** Rows that may have the name. Two reads of an index in one statement: an `or` of both conditions would read all rows. */
export function namesLike(db: Db, table: Named, wanted: string, { within = {}, key = 'guid' }: NameScope = {}) {
  const named = () => {
    // All named tables have `name`; the key and the columns of `within` are those of the table.
    let rows = db.selectFrom(table as 'companies').select(['name', key as 'guid']);
    for (const [name, value] of Object.entries(within)) rows = rows.where(name as 'name', '=', value as string);
    return rows;
  };
  // As the index of the migration `unusual names` has it; the reason for `case` is there.
  const unusual = named().where(({ eb, fn, ref, or, lit }) => {
    const isUnusual = or([
      eb(fn<number>('octet_length', ['name']), '!=', fn<number>('length', ['name'])),
      eb(fn<string>('trim', ['name']), '!=', ref('name')),
    ]);
    return eb(eb.case().when(isUnusual).then(lit(1)).else(lit(0)).end(), '=', lit(1));
  });
  return named().where('name', '=', wanted).unionAll(unusual);
}
