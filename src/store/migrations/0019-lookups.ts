// Stored lookups: their rows are files of the data folder, of which the metadata name one. And the lookup that an upload is
// for.

import type { Migration } from './migration.ts';

export const lookups: Migration = {
  name: 'lookups',
  statements: ({ text }) => [
    `create table lookups (
      guid ${text} primary key,
      name ${text} not null unique,
      description ${text},
      "key" ${text} not null,
      columns ${text} not null,
      restricted integer not null,
      owner_guid ${text} not null,
      row_count integer not null,
      version integer not null,
      size bigint not null,
      file ${text},
      file_columns ${text} not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
    `alter table upload_streams add column lookup_guid ${text}`,
  ],
};
