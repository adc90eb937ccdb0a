// Bytes of the filters of a table's segments, which are made in the background.

import type { Migration } from './migration.ts';

export const indexBytes: Migration = {
  name: 'index-bytes',
  statements: () => ['alter table log_tables add column index_bytes bigint not null default 0'],
};
