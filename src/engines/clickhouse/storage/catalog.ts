// The catalog of tables on ClickHouse, in the metadata store. It decides what is visible: records of uploads that have a row here
// and of days that are being removed are not. Rows go when ClickHouse has confirmed that the records are gone.

import { noCryptoProfiles } from '#contract/errors.ts';
import { type LearntColumns, NOTHING_LEARNT } from '#engines/duckdb/storage/columns.ts';
import { type Alongside, TableGone, type TableSpec } from '#engines/engine.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';

/** Records of a table that no run may see. */
export interface HiddenRows {
  /** Later uploads had not begun. */
  readonly lastUpload: number;
  /** Earlier ones that are not committed. */
  readonly uploads: readonly number[];
  /** Days that are being removed, with the last arrival that goes with them. */
  readonly removals: readonly { readonly day: number; readonly arrived: number }[];
}

/** The columns of a table that has no records yet. */
const NO_COLUMNS = '';

export const newTableRow = (tableId: number) => ({
  table_id: tableId,
  columns: NO_COLUMNS,
  next_id: 1,
  next_upload: 1,
});

const learntOf = (columns: string): LearntColumns => (columns === NO_COLUMNS ? NOTHING_LEARNT : JSON.parse(columns));

/**
 * What was learnt of a table; an empty one that was made for another engine is taken over, unless its records would have to be
 * encrypted. Undefined where the table is gone.
 */
export async function openCatalog(store: Store, { id: tableId, name }: TableSpec): Promise<LearntColumns | undefined> {
  return await store.write(async (unit) => {
    const tables = unit.selectFrom('log_tables').select('crypto_profile_guid').where('id', '=', tableId);
    const found = await tables.executeTakeFirst();
    if (!found) return undefined;
    if (found.crypto_profile_guid !== null) throw noCryptoProfiles(name);
    const db = withCatalog(unit);
    const known = await db
      .selectFrom('clickhouse_tables')
      .select('columns')
      .where('table_id', '=', tableId)
      .executeTakeFirst();
    if (!known) await db.insertInto('clickhouse_tables').values(newTableRow(tableId)).execute();
    return learntOf(known?.columns ?? NO_COLUMNS);
  });
}

async function isThere(db: Db, tableId: number): Promise<boolean> {
  const found = await db.selectFrom('log_tables').select('id').where('id', '=', tableId).executeTakeFirst();
  return found !== undefined;
}

/** Registers what records of a table use, before the first of them is inserted. */
export async function writeColumns(store: Store, { id, name }: TableSpec, learnt: LearntColumns): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isThere(unit, id))) throw new TableGone(name);
    const columns = JSON.stringify(learnt);
    await withCatalog(unit).updateTable('clickhouse_tables').set({ columns }).where('table_id', '=', id).execute();
  });
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
          removals: removals.filter(({ table_id }) => table_id === id),
        },
      ]),
    );
  });
}

/** An upload by its number in its table. */
export interface UploadKey {
  readonly tableId: number;
  readonly upload: number;
}

/** Begins an upload, and gives its number: its records stay hidden until it is committed. */
export async function beginUpload(store: Store, { id, name }: TableSpec): Promise<number> {
  return await store.write(async (unit) => {
    const db = withCatalog(unit);
    const tables = db.selectFrom('clickhouse_tables').select('next_upload').where('table_id', '=', id);
    const upload = (await tables.executeTakeFirst())?.next_upload;
    if (upload === undefined || !(await isThere(unit, id))) throw new TableGone(name);
    const next_upload = upload + 1;
    await db.updateTable('clickhouse_tables').set({ next_upload }).where('table_id', '=', id).execute();
    await db.insertInto('clickhouse_uploads').values({ table_id: id, upload, is_abandoned: 0 }).execute();
    return upload;
  });
}

/** Makes the records of an upload visible, together with what `alongside` writes. */
export async function commitUpload(
  store: Store,
  { table, upload, alongside }: { readonly table: TableSpec; readonly upload: number; readonly alongside: Alongside },
): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isThere(unit, table.id))) throw new TableGone(table.name);
    await forget(unit, { tableId: table.id, upload });
    await alongside(unit);
  });
}

async function forget(unit: Db, { tableId, upload }: UploadKey): Promise<void> {
  const uploads = withCatalog(unit).deleteFrom('clickhouse_uploads').where('table_id', '=', tableId);
  await uploads.where('upload', '=', upload).execute();
}

/** The records of uploads are to be deleted: of one, or of all that an earlier process has left. */
export async function abandonUploads(store: Store, only?: UploadKey): Promise<void> {
  await store.write(async (unit) => {
    const all = withCatalog(unit).updateTable('clickhouse_uploads').set({ is_abandoned: 1 });
    await (only ? all.where('table_id', '=', only.tableId).where('upload', '=', only.upload) : all).execute();
  });
}

export async function abandonedUploads(store: Store): Promise<readonly UploadKey[]> {
  const rows = await store.reader.all('select table_id, upload from clickhouse_uploads where is_abandoned = 1');
  return rows.map(({ table_id, upload }) => ({ tableId: Number(table_id), upload: Number(upload) }));
}

/** Its records are gone. */
export async function forgetUpload(store: Store, key: UploadKey): Promise<void> {
  await store.write((unit) => forget(unit, key));
}

/** Hides days up to an arrival, if `isStill` says so in the same unit. */
export async function beginRemovals(
  store: Store,
  { tableId, days, arrived }: { tableId: number; days: readonly number[]; arrived: number },
  isStill: (db: Db) => Promise<boolean> = async () => true,
): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isThere(unit, tableId)) || !(await isStill(unit))) return;
    for (const day of days) {
      await withCatalog(unit)
        .insertInto('clickhouse_removals')
        .values({ table_id: tableId, day, arrived })
        .onConflict((conflict) => conflict.columns(['table_id', 'day']).doUpdateSet({ arrived }))
        .execute();
    }
  });
}

/** The records of a day up to that arrival are gone. */
export async function forgetRemoval(
  store: Store,
  tableId: number,
  { day, arrived }: HiddenRows['removals'][number],
): Promise<void> {
  await store.write(async (unit) => {
    const removal = withCatalog(unit).deleteFrom('clickhouse_removals').where('table_id', '=', tableId);
    await removal.where('day', '=', day).where('arrived', '=', arrived).execute();
  });
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

export async function forgetTable(store: Store, tableId: number): Promise<void> {
  await store.write(async (unit) => {
    if (await isThere(unit, tableId)) return;
    await withCatalog(unit).deleteFrom('clickhouse_tables').where('table_id', '=', tableId).execute();
  });
}
