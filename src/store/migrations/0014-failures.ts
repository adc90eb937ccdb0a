// Present failures of rules, schedules and loggers: reason, start, and whether an alarm was raised.

import type { Migration } from './migration.ts';

export const failures: Migration = {
  name: 'failures',
  statements: ({ text }) => [
    'alter table schedule_states add column last_success_at bigint',
    `update schedule_states set last_success_at = (
      select max(finished_at) from schedule_slots
      where schedule_slots.kind = schedule_states.kind and schedule_slots.guid = schedule_states.guid
        and schedule_slots.state = 'succeeded')`,
    `create table failing (
      kind ${text} not null,
      guid ${text} not null,
      name ${text} not null,
      reason ${text} not null,
      since bigint not null,
      is_told integer not null,
      primary key (kind, guid))`,
    `alter table alarms add column failure ${text}`,
  ],
};
