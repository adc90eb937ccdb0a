// Ids of queries, allocated to nodes in blocks, and the number of the implicit session of an API key, which rises when
// that session ends.

import type { Migration } from './migration.ts';

export const liveQueries: Migration = {
  name: 'live queries',
  statements: () => [
    'create table query_ids (next_id bigint not null)',
    'insert into query_ids (next_id) values (1)',
    'alter table api_keys add column session integer not null default 0',
  ],
};
