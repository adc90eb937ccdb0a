// The tables of the metadata store that belong to the engine on ClickHouse, as Kysely sees them. Only this engine reads or writes
// them.

import type { Db } from '#store/kysely.ts';

// Aliases rather than interfaces: `withTables` asks for types with an index signature.
type CatalogTables = {
  clickhouse_tables: { table_id: number; columns: string; next_id: number; next_upload: number; version: number };
  clickhouse_uploads: { table_id: number; upload: number; is_abandoned: number; node: string | null };
  clickhouse_removals: RemovalTable;
  clickhouse_removal_acks: { table_id: number; day: number; arrived: number; node: string };
  clickhouse_offsets: OffsetTable;
  clickhouse_shards: { guid: string; name: string };
};

/** A day whose records are hidden up to an arrival until the removal is carried out, and how often that has happened. */
type RemovalTable = {
  table_id: number;
  day: number;
  arrived: number;
  /** 2 from when it is carried out on, 0 afterwards. */
  is_pending: number;
  carried_out: number;
  /** Milliseconds by the clock of the database. */
  since: number;
};

/** How far a source was read, and how far it will have been once the records under `token` are stored. */
type OffsetTable = {
  table_id: number;
  source: string;
  position: number | null;
  intended: number | null;
  token: string;
  first_id: number;
  rows: number;
  node: string | null;
};

export type RemovalRow = Readonly<RemovalTable>;

export const withCatalog = (db: Db) => db.withTables<CatalogTables>();
