// The catalog of tables whose records are on ClickHouse. A row of `clickhouse_tables` without its log table names records that are
// still to be dropped, so it refers to no other row.

import type { Migration } from './migration.ts';

export const clickhouseTables: Migration = {
  name: 'clickhouse-tables',
  statements: ({ text }) => [
    `create table clickhouse_tables (
      table_id integer primary key,
      columns ${text} not null,
      next_id bigint not null,
      next_upload bigint not null)`,
    `create table clickhouse_uploads (
      table_id integer not null references clickhouse_tables (table_id) on delete cascade,
      upload bigint not null,
      is_abandoned integer not null,
      primary key (table_id, upload))`,
    `create table clickhouse_removals (
      table_id integer not null references clickhouse_tables (table_id) on delete cascade,
      day integer not null,
      arrived bigint not null,
      primary key (table_id, day))`,
    `create table clickhouse_offsets (
      table_id integer not null references clickhouse_tables (table_id) on delete cascade,
      source ${text} not null,
      position bigint,
      intended bigint,
      token ${text} not null,
      first_id bigint not null,
      rows bigint not null,
      primary key (table_id, source))`,
  ],
};
