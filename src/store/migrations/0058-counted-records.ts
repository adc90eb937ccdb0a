// Hashes of the records that events of batch rules have counted, in the runs that may read a record again.

import type { Migration } from './migration.ts';

export const countedRecords: Migration = {
  name: 'counted-records',
  statements: ({ text, serial, dialect }) => [
    `create table counted_records (
      id ${serial},
      event_guid ${text} not null,
      rule_guid ${text} not null,
      expires_at bigint not null,
      size integer not null,
      records ${dialect === 'postgres' ? 'bytea' : 'blob'} not null)`,
    'create index counted_records_by_event on counted_records (event_guid)',
    'create index counted_records_by_rule on counted_records (rule_guid, id, size)',
    'create index counted_records_by_end on counted_records (expires_at)',
  ],
};
