// Bytes of the records of each segment as they came, by which queries know how many fit into memory at once. Segments of earlier
// versions have none.

import type { Migration } from './migration.ts';

export const recordBytes: Migration = {
  name: 'record-bytes',
  statements: () => ['alter table log_segments add column record_bytes bigint'],
};
