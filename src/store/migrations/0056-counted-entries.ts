// Counts whose audit entries are not written yet, beside `repeated_queries` of earlier versions. A node that knows them says so in its row.

import type { Migration } from './migration.ts';

export const countedEntries: Migration = {
  name: 'counted-entries',
  statements: ({ text }) => [
    `create table counted_entries (id ${text} not null, begun bigint not null, until bigint not null, last_run bigint,
       draft ${text}, count bigint not null, primary key (id, begun))`,
    'create index counted_entries_by_end on counted_entries (until)',
    'alter table nodes add column protocol integer',
  ],
};
