// Procedures may be commands of the query language.

import type { Migration } from './migration.ts';

export const commands: Migration = {
  name: 'commands',
  statements: () => ['alter table procedures add column command integer not null default 0'],
};
