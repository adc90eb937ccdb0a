// The data folder that holds the logs of this database, and the lease of the process that serves it. At most one row.

import type { Migration } from './migration.ts';

export const logsKeeper: Migration = {
  name: 'logs keeper',
  statements: ({ text }) => [
    `create table logs_keeper (
      id integer primary key check (id = 1),
      folder_guid ${text} not null,
      folder_inode ${text} not null,
      host ${text} not null,
      path ${text} not null,
      lease ${text},
      renewed_at bigint not null)`,
  ],
};
