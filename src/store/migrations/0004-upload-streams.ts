// Unfinished uploads. The log table is referenced by its id without a foreign key: uploads outlive a dropped table, and
// a new table of the same name is another one.

import type { Migration } from './migration.ts';

export const uploadStreams: Migration = {
  name: 'upload streams',
  statements: ({ text, serial }) => [
    `create table upload_streams (
      id ${serial},
      token ${text} not null unique,
      table_id integer not null,
      table_name ${text} not null,
      format ${text} not null,
      file_name ${text} not null,
      file_size bigint not null,
      uploaded_size bigint not null,
      stored_size bigint not null,
      remote_addr ${text} not null,
      user_guid ${text} not null,
      login_name ${text} not null,
      company_guid ${text} not null,
      metadata ${text} not null,
      completes_itself integer not null,
      outcome ${text},
      search ${text} not null,
      created_at bigint not null,
      last_upload bigint,
      touched_at bigint not null)`,
    'create index upload_streams_by_touch on upload_streams (touched_at)',
  ],
};
