// Counts of repeated queries whose audit entry is not written yet: after a crash they become entries at the next start.

import type { Migration } from './migration.ts';

export const repeatedQueries: Migration = {
  name: 'repeated-queries',
  statements: ({ text }) => [
    `create table repeated_queries (guid ${text} primary key, draft ${text} not null, count bigint not null)`,
  ],
};
