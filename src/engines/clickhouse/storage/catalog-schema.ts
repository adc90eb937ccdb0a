// The tables of the metadata store that belong to the engine on ClickHouse, as Kysely sees them. Only this engine reads or writes
// them.

import type { Db } from '#store/kysely.ts';

// Aliases rather than interfaces: `withTables` asks for types with an index signature.
type CatalogTables = {
  clickhouse_tables: { table_id: number; columns: string; next_id: number; next_upload: number };
  clickhouse_uploads: { table_id: number; upload: number; is_abandoned: number };
  clickhouse_removals: { table_id: number; day: number; arrived: number };
  clickhouse_offsets: OffsetTable;
  clickhouse_shards: { guid: string; name: string };
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
};

export const withCatalog = (db: Db) => db.withTables<CatalogTables>();
