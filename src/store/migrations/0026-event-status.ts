// The status that people give events: how far they have looked at them.

import type { Migration } from './migration.ts';

export const eventStatus: Migration = {
  name: 'event-status',
  statements: ({ text }) => [
    `alter table events add column status ${text} not null default 'new'`,
    `alter table events add column status_reason ${text}`,
    `alter table events add column status_user ${text}`,
    'alter table events add column status_time bigint',
    'create index events_by_status on events (status, id)',
  ],
};
