// Several services on one database: what one of them has under way is told apart from what others have, and each finds out what
// others have changed.

import type { Migration } from './migration.ts';

export const severalServices: Migration = {
  name: 'several services',
  statements: ({ text }) => [
    // Of a process at its first start, which lets others in when it has installed.
    'alter table logs_keeper add column shares_logs integer not null default 0',
    // Grows over all tables with every change of one, so that one number tells whether anything was changed.
    'alter table clickhouse_tables add column version bigint not null default 0',
    'create index clickhouse_tables_version on clickhouse_tables (version)',
    // Null for an upload, or an offset, of a version without names.
    `alter table clickhouse_uploads add column node ${text}`,
    `alter table clickhouse_offsets add column node ${text}`,
    // A removal that was carried out keeps its row for a while: runs compare how many there were.
    'alter table clickhouse_removals add column is_pending integer not null default 1',
    'alter table clickhouse_removals add column carried_out integer not null default 0',
    'alter table clickhouse_removals add column since bigint not null default 0',
    // Nodes without a run that began before the removal.
    `create table clickhouse_removal_acks (
      table_id integer not null references clickhouse_tables (table_id) on delete cascade,
      day integer not null,
      arrived bigint not null,
      node ${text} not null,
      primary key (table_id, day, node))`,
  ],
};
