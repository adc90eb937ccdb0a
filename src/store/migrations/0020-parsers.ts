// Stored parsers.

import type { Migration } from './migration.ts';

export const parsers: Migration = {
  name: 'parsers',
  statements: ({ text }) => [
    `create table parsers (
      code ${text} primary key,
      name ${text} not null unique,
      description ${text},
      factory_name ${text} not null,
      configs ${text},
      schema_code ${text},
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
  ],
};
