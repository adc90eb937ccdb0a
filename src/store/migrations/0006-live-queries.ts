// Ids of queries, of which nodes take blocks, and the implicit session of an API key: its number rises when it is ended.

import type { Migration } from './index.ts';

export const liveQueries: Migration = {
  name: 'live queries',
  statements: () => [
    'create table query_ids (next_id bigint not null)',
    'insert into query_ids (next_id) values (1)',
    'alter table api_keys add column session integer not null default 0',
  ],
};
