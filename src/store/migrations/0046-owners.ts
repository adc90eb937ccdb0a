// The node that owns a query or an upload: the reserved blocks of query ids by node, and the node that holds the bytes of an
// upload. Null for an upload of an older version, when one service alone used the database.

import type { Migration } from './migration.ts';

export const owners: Migration = {
  name: 'owners',
  statements: ({ text }) => [
    `create table query_id_blocks (first_id integer primary key, node ${text} not null)`,
    'create index query_id_blocks_node on query_id_blocks (node)',
    `alter table upload_streams add column node ${text}`,
  ],
};
