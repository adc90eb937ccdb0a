// Nodes: the processes of an installation by name, each with its lease; and the node that keeps the logs. A shared database
// alone has rows of nodes: the file of a data folder is used by one process.

import type { Migration } from './migration.ts';

export const nodes: Migration = {
  name: 'nodes',
  statements: ({ text }) => [
    `create table nodes (
      name ${text} primary key,
      types ${text} not null,
      address ${text},
      version ${text} not null,
      public_key ${text},
      is_standby integer not null,
      folder_guid ${text},
      folder_inode ${text},
      lease ${text},
      lease_ms bigint not null,
      started_at bigint not null,
      last_seen bigint not null)`,
    // Null for a process of an older version, which has neither a name nor a lease of another length.
    `alter table logs_keeper add column node ${text}`,
    'alter table logs_keeper add column lease_ms bigint',
  ],
};
