// Crypto profiles, whose keys are wrapped by a secret outside this database, and columns for encrypted and
// authenticated tables: `mac` authenticates a segment that is not encrypted, `left_journals` names journals before
// `journal_from` whose records are in no segment, because they were found damaged.

import type { Migration } from './migration.ts';

export const cryptoProfiles: Migration = {
  name: 'crypto profiles',
  statements: ({ text }) => [
    `create table crypto_profiles (
      guid ${text} primary key,
      name ${text} not null unique,
      description ${text},
      algorithm ${text} not null,
      wrapped_key ${text} not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
    `alter table log_tables add column crypto_profile_guid ${text} references crypto_profiles (guid)`,
    'alter table log_tables add column encrypted integer not null default 0',
    `alter table log_tables add column left_journals ${text} not null default '[]'`,
    'create index log_tables_by_crypto_profile on log_tables (crypto_profile_guid)',
    `alter table log_segments add column mac ${text}`,
  ],
};
