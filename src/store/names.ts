// Whether a name is free. Names are compared in the form in which they are kept; those that an earlier version kept as they
// were given are brought to it here, and never rewritten.

import { normalizeName } from '#kernel/names.ts';
import type { Db } from './kysely.ts';
import type { Schema } from './schema.ts';

type Named = { [T in keyof Schema]: Schema[T] extends { name: string } ? T : never }[keyof Schema];

export interface NameScope {
  /** Columns in which the rows agree that share names; all rows where there are none. */
  readonly within?: Readonly<Record<string, unknown>>;
  /** The row that is to have the name. */
  readonly except?: string | undefined;
  /** The column that `except` is in. */
  readonly key?: string;
}

/**
 * True when another row has the name, and the row itself does not have it already. A unit may act on the answer: units are
 * serialized, on every node, so nothing can come in between.
 */
export async function isNameTaken(
  db: Db,
  table: Named,
  name: string,
  { within = {}, except, key = 'guid' }: NameScope = {},
): Promise<boolean> {
  const wanted = normalizeName(name);
  // All named tables agree in `name`; the key and the columns around it are those of the table.
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
