// One-time codes that open a console session in place of a key. They are gone with the key behind the call that made them.

import type { Migration } from './migration.ts';

export const signInCodes: Migration = {
  name: 'sign-in-codes',
  statements: ({ text }) => [
    `create table sign_in_codes (
      hash ${text} primary key,
      key_guid ${text} not null references api_keys (guid) on delete cascade,
      created_at bigint not null)`,
    'create index sign_in_codes_by_key on sign_in_codes (key_guid)',
  ],
};
