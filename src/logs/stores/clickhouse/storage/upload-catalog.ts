// Uploads in the catalog of tables on ClickHouse: their records are hidden until they are committed, and hidden again from the
// moment on in which they are given up.

import { type Alongside, TableGone, type TableSpec } from '#logs/log-store.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { hiddenRows, isThere } from './catalog.ts';
import { withCatalog } from './catalog-schema.ts';
import { tableName } from './layout.ts';
import type { Shards } from './shards.ts';

/** An upload by its number in its table. */
export interface UploadKey {
  readonly tableId: number;
  readonly upload: number;
}

/** Begins an upload, and gives its number: its records stay hidden until it is committed. */
export async function beginUpload(store: Store, { id, name }: TableSpec, node: string): Promise<number> {
  return await store.write(async (unit) => {
    const db = withCatalog(unit);
    const tables = db.selectFrom('clickhouse_tables').select('next_upload').where('table_id', '=', id);
    const upload = (await tables.executeTakeFirst())?.next_upload;
    if (upload === undefined || !(await isThere(unit, id))) throw new TableGone(name);
    const next_upload = upload + 1;
    await db.updateTable('clickhouse_tables').set({ next_upload }).where('table_id', '=', id).execute();
    await db.insertInto('clickhouse_uploads').values({ table_id: id, upload, is_abandoned: 0, node }).execute();
    return upload;
  });
}

/** Whether servers have records of uploads that the catalog has never numbered: the metadata was put back from a backup. */
export async function hasUnknownUploads(
  { store, shards }: { readonly store: Store; readonly shards: Shards },
  tableId: number,
): Promise<boolean> {
  const lastUpload = (await hiddenRows(store, [tableId])).get(tableId)?.lastUpload ?? 0;
  const statement = `select 1 from ${tableName(tableId)} where _upload > {lastUpload:UInt64} limit 1`;
  return (await shards.rows(statement, { params: { lastUpload } })).length > 0;
}

/** Makes the records of an upload visible, together with what `alongside` writes. */
export async function commitUpload(
  store: Store,
  { table, upload, alongside }: { readonly table: TableSpec; readonly upload: number; readonly alongside: Alongside },
): Promise<void> {
  await store.write(async (unit) => {
    if (!(await isThere(unit, table.id))) throw new TableGone(table.name);
    await requireOpen(unit, { tableId: table.id, upload });
    await forget(unit, { tableId: table.id, upload });
    await alongside(unit);
  });
}

/** Another node gives up the uploads of one that it has not seen for long. */
export async function requireOpen(unit: Db, { tableId, upload }: UploadKey): Promise<void> {
  const uploads = withCatalog(unit).selectFrom('clickhouse_uploads').select('is_abandoned');
  const found = await uploads.where('table_id', '=', tableId).where('upload', '=', upload).executeTakeFirst();
  if (found?.is_abandoned !== 0) throw new StoreUnreachable(new Error('the upload was given up meanwhile'));
}

/** Its records are visible, or gone. */
export async function forget(unit: Db, { tableId, upload }: UploadKey): Promise<void> {
  const uploads = withCatalog(unit).deleteFrom('clickhouse_uploads').where('table_id', '=', tableId);
  await uploads.where('upload', '=', upload).execute();
}

/** The records of an upload are to be deleted. */
export async function abandonUpload(store: Store, { tableId, upload }: UploadKey): Promise<void> {
  await store.write(async (unit) => {
    const all = withCatalog(unit).updateTable('clickhouse_uploads').set({ is_abandoned: 1 });
    await all.where('table_id', '=', tableId).where('upload', '=', upload).execute();
  });
}

/** Those of all uploads that an earlier process of a node has left. */
export async function abandonUploadsOf(store: Store, node: string): Promise<void> {
  await store.write(async (unit) => {
    const all = withCatalog(unit).updateTable('clickhouse_uploads').set({ is_abandoned: 1 });
    await all.where((is) => is.or([is('node', '=', node), is('node', 'is', null)])).execute();
  });
}

/** Longer than any pause of a process that is to go on: what it has under way is given up then. */
const GONE_MS = 600_000;

/** Those of nodes that were not seen for long. */
export async function abandonLostUploads(store: Store): Promise<void> {
  const lost = `is_abandoned = 0 and node is not null and not exists (select 1 from nodes n where n.name = clickhouse_uploads.node
    and n.last_seen > ${DATABASE_NOW[store.dialect]} - ${GONE_MS})`;
  const [found] = await store.reader.all(`select 1 from clickhouse_uploads where ${lost} limit 1`);
  if (found)
    await store.write((db) => connectionOf(db).all(`update clickhouse_uploads set is_abandoned = 1 where ${lost}`));
}

/** An upload that is to be deleted. */
export interface AbandonedUpload extends UploadKey {
  /** Null for one of a version without names. */
  readonly node: string | null;
}

export async function abandonedUploads(store: Store): Promise<readonly AbandonedUpload[]> {
  const rows = await store.reader.all('select table_id, upload, node from clickhouse_uploads where is_abandoned = 1');
  return rows.map(({ table_id, upload, node }) => ({
    tableId: Number(table_id),
    upload: Number(upload),
    node: node === null ? null : String(node),
  }));
}

/** Its records are gone. */
export async function forgetUpload(store: Store, key: UploadKey): Promise<void> {
  await store.write((unit) => forget(unit, key));
}

/** Its records are gone; those that its node may still insert stay hidden, until that node starts again. */
export async function keepHidden(store: Store, { tableId, upload }: UploadKey): Promise<void> {
  await store.write(async (unit) => {
    const all = withCatalog(unit).updateTable('clickhouse_uploads').set({ is_abandoned: 2 });
    await all.where('table_id', '=', tableId).where('upload', '=', upload).execute();
  });
}
