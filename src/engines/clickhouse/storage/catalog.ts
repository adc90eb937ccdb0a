// The catalog of tables on ClickHouse, in the metadata store. It decides what is visible: records of uploads that have a row here
// and of days that are being removed are not. Rows go when ClickHouse has confirmed that the records are gone.

import { type LearntColumns, NOTHING_LEARNT } from '#engines/duckdb/storage/columns.ts';
import { type Alongside, TableGone, type TableSpec } from '#engines/engine.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';

/** Records of a table that no run may see. */
export interface HiddenRows {
  /** Uploads that are not committed. */
  readonly uploads: readonly number[];
  /** Days that are being removed, with the last arrival that goes with them. */
  readonly removals: readonly { readonly day: number; readonly arrived: number }[];
}

/** The columns of a table that has no records yet. */
const NO_COLUMNS = '';

export const newTableRow = (tableId: number) => ({ table_id: tableId, columns: NO_COLUMNS, next_id: 1 });

const learntOf = (columns: string): LearntColumns => (columns === NO_COLUMNS ? NOTHING_LEARNT : JSON.parse(columns));

/** What was learnt of a table; a table that was made for another engine is taken over. Undefined where the table is gone. */
export async function openCatalog(store: Store, tableId: number): Promise<LearntColumns | undefined> {
  return await store.write(async (unit) => {
    if (!(await isThere(unit, tableId))) return undefined;
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

/** Of these tables, by their ids. */
export async function hiddenRows(store: Store, tableIds: readonly number[]): Promise<ReadonlyMap<number, HiddenRows>> {
  const [uploads, removals] = await store.read(async (plain) => {
    const db = withCatalog(plain);
    return [
      await db.selectFrom('clickhouse_uploads').select(['id', 'table_id']).execute(),
      await db.selectFrom('clickhouse_removals').selectAll().execute(),
    ];
  });
  return new Map(
    tableIds.map((id) => [
      id,
      {
        uploads: uploads.filter(({ table_id }) => table_id === id).map((upload) => upload.id),
        removals: removals.filter(({ table_id }) => table_id === id),
      },
    ]),
  );
}

/** Begins an upload, and gives its number: its records stay hidden until it is committed. */
export async function beginUpload(store: Store, { id, name }: TableSpec): Promise<number> {
  return await store.write(async (unit) => {
    if (!(await isThere(unit, id))) throw new TableGone(name);
    const row = { table_id: id, is_abandoned: 0 };
    const inserted = withCatalog(unit).insertInto('clickhouse_uploads').values(row);
    return (await inserted.returning('id').executeTakeFirstOrThrow()).id;
  });
}

/** Makes the records of an upload visible, together with what `alongside` writes. */
export async function commitUpload(
  store: Store,
  { table, upload, alongside }: { readonly table: TableSpec; readonly upload: number; readonly alongside: Alongside },
): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isThere(unit, table.id))) throw new TableGone(table.name);
    await withCatalog(unit).deleteFrom('clickhouse_uploads').where('id', '=', upload).execute();
    await alongside(unit);
  });
}

/** The records of uploads are to be deleted: of one, or of all that an earlier process has left. */
export async function abandonUploads(store: Store, upload?: number): Promise<void> {
  await store.write(async (unit) => {
    const update = withCatalog(unit).updateTable('clickhouse_uploads').set({ is_abandoned: 1 });
    await (upload === undefined ? update : update.where('id', '=', upload)).execute();
  });
}

export interface AbandonedUpload {
  readonly id: number;
  readonly tableId: number;
}

export async function abandonedUploads(store: Store): Promise<readonly AbandonedUpload[]> {
  const rows = await store.reader.all('select id, table_id from clickhouse_uploads where is_abandoned = 1');
  return rows.map(({ id, table_id }) => ({ id: Number(id), tableId: Number(table_id) }));
}

/** Its records are gone. */
export async function forgetUpload(store: Store, upload: number): Promise<void> {
  await store.write(async (unit) => {
    await withCatalog(unit).deleteFrom('clickhouse_uploads').where('id', '=', upload).execute();
  });
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

/** Whether records of some table are on ClickHouse. */
export const hasTables = async (store: Store): Promise<boolean> =>
  (await store.reader.all('select 1 from clickhouse_tables limit 1')).length > 0;
