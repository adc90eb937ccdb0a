// Values that a client stores for an account, as one JSON text.

import type { Migration } from './migration.ts';

export const preferences: Migration = {
  name: 'preferences',
  statements: ({ text }) => [
    `create table preferences (
      user_guid ${text} primary key references users (guid) on delete cascade,
      content ${text} not null)`,
  ],
};
