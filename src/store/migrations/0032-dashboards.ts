// Dashboards: panels of queries that an account arranges and shares. Names are unique per owner.

import type { Migration } from './migration.ts';

export const dashboards: Migration = {
  name: 'dashboards',
  statements: ({ text }) => [
    `create table dashboards (
      guid ${text} primary key,
      name ${text} not null,
      description ${text},
      layout ${text} not null,
      owner_guid ${text} not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      unique (owner_guid, name))`,
  ],
};
