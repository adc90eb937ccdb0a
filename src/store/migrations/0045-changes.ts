// Numbers of changes, by kind: each commit that changes what other nodes keep in memory raises one. A shared database alone has
// rows of them.

import type { Migration } from './migration.ts';

export const changes: Migration = {
  name: 'changes',
  statements: ({ text }) => [`create table changes (kind ${text} primary key, number bigint not null)`],
};
