// Sources from which records are expected: how often, the alarm group of their silence, and the moment from which it counts.

import type { Migration } from './migration.ts';

const sourceColumns = (table: string, text: string) => [
  `alter table ${table} add column expect_every integer not null default 0`,
  `alter table ${table} add column alarm_group_guid ${text}`,
  `alter table ${table} add column expected_since bigint`,
];

export const silentSources: Migration = {
  name: 'silent-sources',
  statements: ({ text }) => [
    ...sourceColumns('loggers', text),
    ...sourceColumns('log_tables', text),
    'alter table loggers add column last_log_at bigint',
    'create table silence_mark (alive_at bigint)',
    'insert into silence_mark (alive_at) values (null)',
  ],
};
