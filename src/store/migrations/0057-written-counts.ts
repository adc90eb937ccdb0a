// The last file with counts of loggers, by the GUID of its data folder, whose counts are part of the rows of the loggers.

import type { Migration } from './migration.ts';

export const writtenCounts: Migration = {
  name: 'written-counts',
  statements: ({ text }) => [`create table written_counts (folder ${text} primary key, number bigint not null)`],
};
