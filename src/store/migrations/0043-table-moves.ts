// Moves of tables between the places of their records: the last one of each table, and where the table is since. A table without
// a row is where it was made.

import type { Migration } from './migration.ts';

export const tableMoves: Migration = {
  name: 'table-moves',
  statements: ({ text }) => [
    `create table table_moves (
      table_id integer primary key references log_tables (id) on delete cascade,
      writes_to ${text} not null,
      is_split integer not null,
      guid ${text} not null,
      from_place ${text} not null,
      to_place ${text} not null,
      state ${text} not null,
      days_done integer not null,
      days_left integer not null,
      rows bigint not null,
      user_name ${text} not null,
      started_at bigint not null,
      finished_at bigint,
      error ${text})`,
  ],
};
