// Collectors: settings of loggers, the files they follow, and the position of each file in its log table.

import type { Migration } from './migration.ts';

export const collectors: Migration = {
  name: 'collectors',
  statements: ({ text, serial }) => [
    'alter table loggers add column interval integer not null default 5000',
    `alter table loggers add column cron_schedule ${text}`,
    `alter table loggers add column configs ${text}`,
    `alter table loggers add column begun_with ${text}`,
    `create table collected_files (
      id ${serial},
      logger_guid ${text} not null references loggers (guid) on delete cascade,
      path ${text} not null,
      device ${text} not null,
      inode ${text} not null,
      head_bytes integer not null,
      head_hash ${text} not null,
      position bigint not null)`,
    'create index collected_files_by_logger on collected_files (logger_guid)',
    `create table log_marks (
      table_id integer not null references log_tables (id) on delete cascade,
      source ${text} not null,
      position bigint not null,
      primary key (table_id, source))`,
  ],
};
