// The shards of the log store that hold records of this installation: one that is gone is missed at the next start.

import type { Migration } from './migration.ts';

export const clickhouseShards: Migration = {
  name: 'clickhouse-shards',
  statements: ({ text }) => [
    `create table clickhouse_shards (
      guid ${text} primary key,
      name ${text} not null)`,
  ],
};
