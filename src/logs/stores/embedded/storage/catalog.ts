// The catalog of sealed segments, in the metadata store: which files make up a table. Switching it is one transaction,
// so a crash leaves a table as it was before or as it is after.

import type { Insertable } from 'kysely';
import type { Alongside, SourceOffset, SourceSelection, TableSpec, TableStats } from '#logs/log-store.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { LogTableTable } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { type CatalogDb, type SegmentRow, withCatalog } from './catalog-schema.ts';
import type { Codec } from './segment-file.ts';

/**
 * 0 where values of a second type are in `_rest`, as in segments of earlier versions; 1 where they are in columns; 2 where the
 * leaves of objects are, too.
 */
export type SegmentForm = 0 | 1 | 2;

/** That of segments which are written now. */
export const PRESENT_FORM: SegmentForm = 2;

export interface Segment {
  readonly day: string;
  /** Relative to the folder of the table. */
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly minTime: number;
  readonly maxTime: number;
  readonly minId: number;
  readonly maxId: number;
  /** Authenticates the file of a table that is not encrypted. */
  readonly mac: string | null;
  /** Empty for files of versions that did not record it. */
  readonly codec: Codec | '';
  /** Of its records as they came; null for files of versions that did not record it. */
  readonly recordBytes: number | null;
  readonly form: SegmentForm;
}

/** The columns of a table that has no records yet. */
export const NO_COLUMNS = '';

/** The crypto profile of a table; without encryption its files are authenticated. */
interface TableProfile {
  readonly guid: string;
  readonly isEncrypting: boolean;
}

/** The catalog of one table. */
export interface TableCatalog {
  readonly segments: readonly Segment[];
  readonly cryptoProfile: TableProfile | undefined;
  /** Field names and column types, in order, as the storage of the table writes them. */
  readonly columns: string;
  readonly lastId: number;
  /** Of filters, as they were last recorded. */
  readonly indexBytes: number;
  /** The first journal whose records are not in segments. */
  readonly journalFrom: number;
  /** Journals before it whose records are in no segment either, because they are corrupt. */
  readonly leftJournals: readonly number[];
  /** Offsets of sources by their names, as of the sealed records. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** A change of a table's files. Absent properties stay as they are. */
export interface CatalogSwitch {
  readonly added: readonly Segment[];
  readonly removed: readonly Segment[];
  readonly columns?: string;
  readonly lastId?: number;
  readonly journalFrom?: number;
  readonly leftJournals?: readonly number[];
  /** Of the records that are added. */
  readonly offsets?: ReadonlyMap<string, number>;
  /** Called in the transaction; nothing is written where it gives false. */
  isStill?(db: Db): Promise<boolean>;
}

export async function readCatalog(store: Store, tableId: number): Promise<TableCatalog | undefined> {
  return await store.read(async (plain) => {
    const db = withCatalog(plain);
    const table = await db
      .selectFrom('log_tables')
      .select([
        'columns',
        'last_id',
        'journal_from',
        'left_journals',
        'crypto_profile_guid',
        'encrypted',
        'index_bytes',
      ])
      .where('id', '=', tableId)
      .executeTakeFirst();
    if (!table) return undefined;
    const rows = await db
      .selectFrom('log_segments')
      .selectAll()
      .where('table_id', '=', tableId)
      .orderBy('id')
      .execute();
    const offsets = await db
      .selectFrom('log_marks')
      .select(['source', 'position'])
      .where('table_id', '=', tableId)
      .execute();
    return {
      offsets: new Map(offsets.map(({ source, position }) => [source, position])),
      segments: rows.map(segmentOf),
      cryptoProfile:
        table.crypto_profile_guid === null
          ? undefined
          : { guid: table.crypto_profile_guid, isEncrypting: table.encrypted === 1 },
      columns: table.columns,
      lastId: table.last_id,
      indexBytes: table.index_bytes,
      journalFrom: table.journal_from,
      leftJournals: JSON.parse(table.left_journals),
    };
  });
}

/** All tables, with the days that they keep records for; 0 keeps all. */
export async function tableSpecs(store: Store): Promise<(TableSpec & { readonly retention: number })[]> {
  const rows = await store.reader.all('select id, name, layout, compression, retention from log_tables');
  // The columns are those of a spec, from closed sets that we wrote.
  return rows as unknown as (TableSpec & { readonly retention: number })[];
}

export async function retentionOf(db: Db, tableId: number): Promise<number | undefined> {
  const found = await db.selectFrom('log_tables').select('retention').where('id', '=', tableId).executeTakeFirst();
  return found?.retention;
}

const NO_SEGMENTS = { columns: NO_COLUMNS, last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };

/** The row of a new table, with the columns of the catalog. Gives its id. */
export async function insertTable(db: Db, table: Insertable<LogTableTable>): Promise<number> {
  const inserted = withCatalog(db)
    .insertInto('log_tables')
    .values({ ...table, ...NO_SEGMENTS });
  return (await inserted.returning('id').executeTakeFirstOrThrow()).id;
}

/** Figures of the sealed records of tables; tables that are gone have none. */
export async function sealedStats(store: Store, tableIds: readonly number[]): Promise<Map<number, TableStats>> {
  const rows = await store.read((db) =>
    inChunks(tableIds, (some) =>
      withCatalog(db)
        .selectFrom('log_tables')
        .select(['id', 'sealed_rows', 'sealed_bytes', 'index_bytes', 'min_time', 'max_time'])
        .where('id', 'in', [...some])
        .execute(),
    ),
  );
  return new Map(
    rows.map(({ id, sealed_rows, sealed_bytes, index_bytes, min_time, max_time }) => [
      id,
      {
        rows: sealed_rows,
        dataBytes: sealed_bytes,
        indexBytes: index_bytes,
        minTime: min_time ?? undefined,
        maxTime: max_time ?? undefined,
      },
    ]),
  );
}

/** Bytes of the segments of all tables, with their filters. */
export async function sealedBytes(store: Store): Promise<number> {
  const [row] = await store.reader.all('select coalesce(sum(sealed_bytes + index_bytes), 0) as bytes from log_tables');
  return Number(row?.bytes);
}

/** Of the filters of its segments. */
export async function writeIndexBytes(store: Store, tableId: number, bytes: number): Promise<void> {
  await store.write(async (unit) => {
    await withCatalog(unit).updateTable('log_tables').set({ index_bytes: bytes }).where('id', '=', tableId).execute();
  });
}

export const hasSegments = async (store: Store): Promise<boolean> =>
  (await store.reader.all('select 1 from log_segments limit 1')).length > 0;

/** Tables with days before this one that are not dense. */
export async function tablesToDensify(store: Store, day: string): Promise<ReadonlySet<number>> {
  const sql = `select distinct table_id from log_segments where codec <> 'zstd' and day < ?`;
  return new Set((await store.reader.all(sql, [day])).map(({ table_id }) => Number(table_id)));
}

/** By tables the number of their days with segments of earlier forms. Those of the row layout are the same in all of them. */
export async function daysToRewrite(store: Store): Promise<ReadonlyMap<number, number>> {
  const sql = `select table_id, count(distinct day) as days from log_segments
    where form < ? and table_id in (select id from log_tables where layout <> 'row') group by table_id`;
  const rows = await store.reader.all(sql, [PRESENT_FORM]);
  return new Map(rows.map(({ table_id, days }) => [Number(table_id), Number(days)]));
}

/** The first moment in which a service knew the present form, recorded where it is not yet. */
export async function presentFormSince(store: Store, now: Temporal.Instant): Promise<Temporal.Instant> {
  const key = `segment-form-${PRESENT_FORM}-since`;
  const since = await store.write(async (db) => {
    await db
      .insertInto('installation')
      .values({ key, value: now.toString() })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return await db.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirstOrThrow();
  });
  return Temporal.Instant.from(since.value);
}

/** The files of all tables, by the id of their table. */
export async function segmentFiles(store: Store): Promise<Map<number, { file: string }[]>> {
  const rows = await store.reader.all('select table_id, file from log_segments');
  return Map.groupBy(
    rows.map(({ table_id, file }) => ({ tableId: Number(table_id), file: String(file) })),
    ({ tableId }) => tableId,
  );
}

/** False, with nothing written, when the table is gone or `isStill` denies the change. */
export async function switchCatalog(
  store: Store,
  tableId: number,
  change: CatalogSwitch,
  alongside?: Alongside,
): Promise<boolean> {
  return await store.write(async (unit) => {
    const db = withCatalog(unit);
    const table = await db
      .selectFrom('log_tables')
      .select(['id', 'last_id'])
      .where('id', '=', tableId)
      .executeTakeFirst();
    if (!table || (change.isStill && !(await change.isStill(unit)))) return false;
    for (const { file } of change.removed) {
      await db.deleteFrom('log_segments').where('table_id', '=', tableId).where('file', '=', file).execute();
    }
    for (const segment of change.added) await db.insertInto('log_segments').values(rowOf(tableId, segment)).execute();
    for (const [source, position] of change.offsets ?? []) await writeSourceOffset(db, { tableId, source, position });
    const totals = await db
      .selectFrom('log_segments')
      .where('table_id', '=', tableId)
      .select((eb) => [
        eb.fn.coalesce(eb.fn.sum<number>('rows'), eb.lit(0)).as('sealed_rows'),
        eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('sealed_bytes'),
        eb.fn.min('min_time').as('min_time'),
        eb.fn.max('max_time').as('max_time'),
      ])
      .executeTakeFirstOrThrow();
    await db
      .updateTable('log_tables')
      .set({
        sealed_rows: Number(totals.sealed_rows),
        sealed_bytes: Number(totals.sealed_bytes),
        min_time: totals.min_time,
        max_time: totals.max_time,
        ...(change.columns === undefined ? {} : { columns: change.columns }),
        ...(change.lastId === undefined ? {} : { last_id: Math.max(change.lastId, table.last_id) }),
        ...(change.journalFrom === undefined ? {} : { journal_from: change.journalFrom }),
        ...(change.leftJournals === undefined ? {} : { left_journals: JSON.stringify(change.leftJournals) }),
      })
      .where('id', '=', tableId)
      .execute();
    await alongside?.(unit);
    return true;
  });
}

/** An offset never moves back: a journal that was corrupt may be sealed after its successors. */
async function writeSourceOffset(
  db: CatalogDb,
  { tableId, source, position }: { tableId: number } & SourceOffset,
): Promise<void> {
  await db
    .insertInto('log_marks')
    .values({ table_id: tableId, source, position })
    .onConflict((conflict) =>
      conflict.columns(['table_id', 'source']).doUpdateSet({ position }).where('log_marks.position', '<', position),
    )
    .execute();
}

/** The rows of sources that are read no more. */
export async function removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
  const offsets = withCatalog(db).deleteFrom('log_marks');
  if ('prefix' in selection) await offsets.where('source', 'like', `${selection.prefix}%`).execute();
  else if (selection.sources.length > 0) await offsets.where('source', 'in', selection.sources).execute();
}

const segmentOf = (row: SegmentRow): Segment => ({
  day: row.day,
  file: row.file,
  rows: row.rows,
  bytes: row.bytes,
  minTime: row.min_time,
  maxTime: row.max_time,
  minId: row.min_id,
  maxId: row.max_id,
  mac: row.mac,
  codec: row.codec,
  recordBytes: row.record_bytes,
  form: row.form,
});

const rowOf = (tableId: number, segment: Segment) => ({
  table_id: tableId,
  day: segment.day,
  file: segment.file,
  rows: segment.rows,
  bytes: segment.bytes,
  min_time: segment.minTime,
  max_time: segment.maxTime,
  min_id: segment.minId,
  max_id: segment.maxId,
  mac: segment.mac,
  codec: segment.codec,
  record_bytes: segment.recordBytes,
  form: segment.form,
});
