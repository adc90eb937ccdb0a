// Findings of stream rules in records that are about to be stored, until their events are: a start raises those whose records are
// there. `source` and `position` are the offset that is stored with the records.

import type { Migration } from './migration.ts';

export const unraisedFindings: Migration = {
  name: 'unraised-findings',
  statements: ({ text }) => [
    `create table unraised_findings (
      table_id integer not null,
      source ${text} not null,
      position bigint not null,
      node ${text} not null,
      part integer not null,
      is_sealed integer not null,
      content ${text} not null,
      primary key (table_id, source, part))`,
  ],
};
