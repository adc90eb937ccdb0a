// What rules have found: events, the tickets raised by them or by people, and alarms that wait to be delivered.

import type { Migration } from './index.ts';

export const events: Migration = {
  name: 'events',
  statements: ({ text, serial }) => [
    `create table events (
      id ${serial},
      guid ${text} not null unique,
      rule_type ${text} not null,
      rule_guid ${text} not null,
      rule_name ${text} not null,
      rule_version integer not null,
      priority ${text} not null,
      category_guid ${text},
      category_name ${text},
      msg ${text} not null,
      suppress_key ${text} not null,
      count bigint not null,
      fields ${text} not null,
      first_time bigint not null,
      last_time bigint not null,
      query_id integer,
      ticket_guid ${text},
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
    'create index events_by_key on events (rule_guid, suppress_key, id)',
    'create index events_by_time on events (last_time, id)',
    'create index events_by_ticket on events (ticket_guid)',
  ],
};
