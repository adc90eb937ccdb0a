// Lookups of services that share a database and have folders of their own: contents in parts, and the lookups in memory.

import type { Migration } from './migration.ts';

export const lookupContents: Migration = {
  name: 'lookup-contents',
  statements: ({ text, dialect }) => [
    `create table lookup_parts (
      content ${text} not null,
      part integer not null,
      is_last integer not null,
      bytes ${dialect === 'postgres' ? 'bytea' : 'blob'} not null,
      written_at bigint not null,
      primary key (content, part))`,
    `create table memory_lookups (
      account ${text} not null,
      name ${text} not null,
      key ${text} not null,
      columns ${text} not null,
      content ${text} not null,
      row_count integer not null,
      size bigint not null,
      created_at bigint not null,
      used_at bigint not null,
      primary key (account, name))`,
  ],
};
