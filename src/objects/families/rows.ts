// The SQL that all families share. Families differ in table, key and visible rows.

import type { Caller, Rightful } from '#access/caller.ts';
import type { Db } from '#store/kysely.ts';
import { removeGrantsOn } from '#store/rows/grants.ts';
import { containsKeyword, type Page, type Paging, rowWithKey } from '#store/rows/lists.ts';
import type { NamedRow } from '#store/schema/schema.ts';
import { type AnyFamily, type AnyRow, keyOf } from './family.ts';

interface ListOptions extends Paging {
  readonly keywords: string | undefined;
  /** By their columns. */
  readonly flags: Readonly<Record<string, boolean>>;
}

export async function listRows(
  db: Db,
  family: AnyFamily,
  caller: Rightful,
  wanted: ListOptions,
): Promise<Page<AnyRow>> {
  let matching = visible(db, family, caller).where(containsKeyword(family.table, wanted.keywords));
  // The columns are those of the table of the family; the type stands for all tables.
  for (const [column, flag] of Object.entries(wanted.flags))
    matching = matching.where(column as 'name', '=', (flag ? 1 : 0) as never);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy(keyColumn(family)).limit(wanted.limit).offset(wanted.offset);
  return { total, rows: (await page.selectAll().execute()).map(anyRow) };
}

/** Undefined for a row that the caller may not see. */
export async function findRow(db: Db, family: AnyFamily, caller: Caller, key: string): Promise<AnyRow | undefined> {
  // Columns of the table of the family; the type stands for all tables.
  if (!family.visibleTo)
    return (await rowWithKey(db, { table: family.table, column: keyColumn(family), key })) as AnyRow | undefined;
  const row = await visible(db, family, caller).where(keyColumn(family), '=', key).selectAll().executeTakeFirst();
  return row && anyRow(row);
}

/**
 * Whether an object with these values exists, visible or not. A unit may rely on the result:
 * units are serialized across all nodes.
 */
export async function rowExists(
  db: Db,
  family: AnyFamily,
  values: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  let rows = db.selectFrom(family.table).select(keyColumn(family));
  for (const [column, value] of Object.entries(values)) rows = rows.where(column as 'name', '=', value as string);
  return (await rows.executeTakeFirst()) !== undefined;
}

export async function insertRow(db: Db, family: AnyFamily, row: AnyRow): Promise<void> {
  // The columns are those of the table of the family; the type stands for all tables.
  await db
    .insertInto(family.table)
    .values(row as unknown as NamedRow)
    .execute();
}

export async function updateRow(db: Db, family: AnyFamily, key: string, changes: Partial<AnyRow>): Promise<void> {
  await db.updateTable(family.table).set(changes).where(keyColumn(family), '=', key).execute();
}

/** Also removes grants: another object may get the same GUID. */
export async function removeRow(db: Db, family: AnyFamily, row: AnyRow): Promise<void> {
  await removeGrantsOn(db, family.path, keyOf(family, row));
  await db.deleteFrom(family.table).where(keyColumn(family), '=', keyOf(family, row)).execute();
}

function visible(db: Db, family: AnyFamily, caller: Rightful) {
  const rows = db.selectFrom(family.table);
  return family.visibleTo ? family.visibleTo(rows, caller, db) : rows;
}

/** All keys are text columns. */
const keyColumn = ({ key = 'guid' }: AnyFamily) => key as 'guid';

const anyRow = (row: NamedRow): AnyRow => row as unknown as AnyRow;
