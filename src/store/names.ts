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
export async function isNameTaken(
  db: Db,
  table: Named,
  name: string,
  { within = {}, except, key = 'guid' }: NameScope = {},
): Promise<boolean> {
  const wanted = normalizeName(name);
  // All named tables have `name`; the key and the columns of `within` are those of the table.
  const column = key as 'guid';
  let rows = db.selectFrom(table as 'companies').select(['name', column]);
  for (const [name, value] of Object.entries(within)) rows = rows.where(name as 'name', '=', value as string);
  const alike = await rows
    .where(({ eb, fn, ref, or }) =>
      or([
        eb('name', '=', wanted),
        eb(fn<number>('octet_length', ['name']), '!=', fn<number>('length', ['name'])),
        eb(fn<string>('trim', ['name']), '!=', ref('name')),
      ]),
    )
    .execute();
  const holders = alike.filter((row) => normalizeName(row.name) === wanted).map((row) => row[column]);
  return holders.length > 0 && (except === undefined || !holders.includes(except));
}
