// The tables of the metadata store that belong to the embedded engine, as Kysely sees them, and its own columns in the row of a
// log table. Only this engine reads or writes them: another engine has a catalog of its own. The migrations of the store
// make them, because data folders of earlier versions have them.

import type { Generated, Selectable } from 'kysely';
import type { Db } from '#store/kysely.ts';
import type { SegmentForm } from './catalog.ts';
import type { Codec } from './segment-file.ts';

// Aliases rather than interfaces: `withTables` asks for types with an index signature.
type CatalogTables = {
  log_tables: CatalogColumns;
  log_segments: SegmentTable;
  log_marks: { table_id: number; source: string; position: number };
};

type CatalogColumns = {
  columns: string;
  last_id: number;
  journal_from: number;
  left_journals: Generated<string>;
  sealed_rows: number;
  sealed_bytes: number;
  min_time: Generated<number | null>;
  max_time: Generated<number | null>;
  index_bytes: Generated<number>;
};

type SegmentTable = {
  id: Generated<number>;
  table_id: number;
  day: string;
  file: string;
  rows: number;
  bytes: number;
  min_time: number;
  max_time: number;
  min_id: number;
  max_id: number;
  mac: string | null;
  codec: Generated<Codec | ''>;
  record_bytes: number | null;
  form: Generated<SegmentForm>;
};

export type SegmentRow = Selectable<SegmentTable>;

export const withCatalog = (db: Db) => db.withTables<CatalogTables>();

export type CatalogDb = ReturnType<typeof withCatalog>;
