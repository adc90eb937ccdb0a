// The catalog of tables on ClickHouse, in the metadata store. It decides what is visible: records of uploads that have a row here
// and of days that are being removed are not. Rows go when ClickHouse has confirmed that the records are gone.

import { noCryptoProfiles } from '#contract/errors.ts';
import { TableGone, type TableSpec } from '#logs/log-store.ts';
import { type LearntColumns, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';
import { type RemovalRow, withCatalog } from './catalog-schema.ts';

/** Records of a table that no run may see. */
export interface HiddenRows {
  /** Later uploads had not begun. */
  readonly lastUpload: number;
  /** Earlier ones that are not committed. */
  readonly uploads: readonly number[];
  /** Days that are being removed, with the last arrival that goes with them. */
  readonly removals: readonly { readonly day: number; readonly arrived: number }[];
  /** How many removals of a day will have been carried out with these. */
  readonly carriedOut: ReadonlyMap<number, number>;
}

/** The columns of a table that has no records yet. */
const NO_COLUMNS = '';

export const newTableRow = (tableId: number) => ({
  table_id: tableId,
  columns: NO_COLUMNS,
  next_id: 1,
  next_upload: 1,
  version: 0,
});

/** What was learnt of a table, and the version of the catalog that has it. */
export interface CatalogColumns {
  readonly learnt: LearntColumns;
  readonly version: number;
}

const learntOf = (columns: string): LearntColumns => (columns === NO_COLUMNS ? NOTHING_LEARNT : JSON.parse(columns));

/**
 * What was learnt of a table; an empty one that was made for another engine is taken over, unless its records would have to be
 * encrypted. Undefined where the table is gone.
 */
export async function openCatalog(store: Store, { id: tableId, name }: TableSpec): Promise<CatalogColumns | undefined> {
  return await store.write(async (unit) => {
    const tables = unit.selectFrom('log_tables').select('crypto_profile_guid').where('id', '=', tableId);
    const found = await tables.executeTakeFirst();
    if (!found) return undefined;
    if (found.crypto_profile_guid !== null) throw noCryptoProfiles(name);
    const db = withCatalog(unit);
    const known = await db
      .selectFrom('clickhouse_tables')
      .select(['columns', 'version'])
      .where('table_id', '=', tableId)
      .executeTakeFirst();
    if (!known) await db.insertInto('clickhouse_tables').values(newTableRow(tableId)).execute();
    return { learnt: learntOf(known?.columns ?? NO_COLUMNS), version: known?.version ?? 0 };
  });
}

/** Undefined where the table is gone. */
export async function readColumns(store: Store, tableId: number): Promise<CatalogColumns | undefined> {
  return await store.read(async (plain) => {
    const rows = withCatalog(plain).selectFrom('clickhouse_tables').select(['columns', 'version']);
    const found = await rows.where('table_id', '=', tableId).executeTakeFirst();
    return found && { learnt: learntOf(found.columns), version: found.version };
  });
}

/** Whether the row of a table is there. */
export const hasTable = (store: Store, tableId: number): Promise<boolean> => store.read((db) => isThere(db, tableId));

export async function isThere(db: Db, tableId: number): Promise<boolean> {
  const found = await db.selectFrom('log_tables').select('id').where('id', '=', tableId).executeTakeFirst();
  return found !== undefined;
}

/**
 * Registers what records of a table use, before the first of them is inserted; gives the new version. Undefined where the catalog
 * is no longer of the version that it was learnt on.
 */
export async function writeColumns(
  store: Store,
  { id, name }: TableSpec,
  { learnt, version: known }: CatalogColumns,
): Promise<number | undefined> {
  return await store.write(async (unit) => {
    if (!(await isThere(unit, id))) throw new TableGone(name);
    const db = withCatalog(unit);
    const tables = db.selectFrom('clickhouse_tables');
    const found = await tables.select('version').where('table_id', '=', id).executeTakeFirst();
    if (found?.version !== known) return undefined;
    const newest = await tables.select(({ fn }) => fn.max('version').as('version')).executeTakeFirst();
    const version = Number(newest?.version ?? 0) + 1;
    const columns = JSON.stringify(learnt);
    await db.updateTable('clickhouse_tables').set({ columns, version }).where('table_id', '=', id).execute();
    return version;
  });
}

/** Numbers that tell whether anything of the catalog was changed since they were read. */
export async function catalogNumbers(store: Store): Promise<{ readonly version: number; readonly shards: number }> {
  const [row] = await store.reader.all(
    `select (select coalesce(max(version), 0) from clickhouse_tables) as version,
       (select count(*) from clickhouse_shards) as shards`,
  );
  return { version: Number(row?.version), shards: Number(row?.shards) };
}

/** The tables that were changed since a version. */
export async function changedTables(store: Store, since: number): Promise<readonly number[]> {
  const rows = await store.reader.all('select table_id from clickhouse_tables where version > ?', [since]);
  return rows.map(({ table_id }) => Number(table_id));
}

/** Reserves ids of a table, and gives the first of them. */
export async function takeIds(store: Store, { id, name }: TableSpec, count: number): Promise<number> {
  return await store.write(async (unit) => {
    const db = withCatalog(unit);
    const found = await db
      .selectFrom('clickhouse_tables')
      .select('next_id')
      .where('table_id', '=', id)
      .executeTakeFirst();
    if (!found) throw new TableGone(name);
    const next_id = found.next_id + count;
    await db.updateTable('clickhouse_tables').set({ next_id }).where('table_id', '=', id).execute();
    return found.next_id;
  });
}

/**
 * Of these tables, by their ids. Numbers of uploads are read first: one that begins in between is later than all of them, and
 * of one that is committed in between all records have arrived.
 */
export async function hiddenRows(store: Store, tableIds: readonly number[]): Promise<ReadonlyMap<number, HiddenRows>> {
  return await store.read(async (plain) => {
    const db = withCatalog(plain);
    const tables = await inChunks(tableIds, (some) =>
      db.selectFrom('clickhouse_tables').select(['table_id', 'next_upload']).where('table_id', 'in', some).execute(),
    );
    const uploads = await db.selectFrom('clickhouse_uploads').selectAll().execute();
    const removals = await db.selectFrom('clickhouse_removals').selectAll().execute();
    return new Map(
      tables.map(({ table_id: id, next_upload }) => [
        id,
        {
          lastUpload: next_upload - 1,
          uploads: uploads.filter(({ table_id }) => table_id === id).map(({ upload }) => upload),
          ...removalsOf(removals.filter(({ table_id }) => table_id === id)),
        },
      ]),
    );
  });
}

function removalsOf(rows: readonly RemovalRow[]): Pick<HiddenRows, 'removals' | 'carriedOut'> {
  return {
    removals: rows.filter(({ is_pending }) => is_pending > 0),
    carriedOut: new Map(
      rows.map(({ day, is_pending, carried_out }) => [day, carried_out + (is_pending === 1 ? 1 : 0)]),
    ),
  };
}

/** The tables whose records are on ClickHouse, by their ids. */
export const knownTables = async (store: Store): Promise<readonly number[]> =>
  (await store.reader.all('select table_id from clickhouse_tables')).map(({ table_id }) => Number(table_id));

/** Tables whose rows are gone and whose records are not. */
export async function droppedTables(store: Store): Promise<readonly number[]> {
  const rows = await store.reader.all(
    'select table_id from clickhouse_tables where not exists (select 1 from log_tables where id = table_id)',
  );
  return rows.map(({ table_id }) => Number(table_id));
}

/** Its records are gone, if `isStill` says so in the same unit: by default the row of the table is gone, too. */
export async function forgetTable(
  store: Store,
  tableId: number,
  isStill: (db: Db) => Promise<boolean> = async (db) => !(await isThere(db, tableId)),
): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isStill(unit))) return;
    await withCatalog(unit).deleteFrom('clickhouse_tables').where('table_id', '=', tableId).execute();
  });
}

/** Ids begin no earlier than this one. */
export async function adoptTable(unit: Db, { id, name }: TableSpec, nextId: number): Promise<void> {
  const db = withCatalog(unit);
  const tables = db.selectFrom('clickhouse_tables').select('next_id').where('table_id', '=', id);
  const found = await tables.executeTakeFirst();
  if (!found || !(await isThere(unit, id))) throw new TableGone(name);
  const next_id = Math.max(found.next_id, nextId);
  await db.updateTable('clickhouse_tables').set({ next_id }).where('table_id', '=', id).execute();
}

export async function nextIdOf(db: Db, { id, name }: TableSpec): Promise<number> {
  const tables = withCatalog(db).selectFrom('clickhouse_tables').select('next_id').where('table_id', '=', id);
  const found = await tables.executeTakeFirst();
  if (!found) throw new TableGone(name);
  return found.next_id;
}
