// Companies, users, groups, API keys and sessions. `search` columns hold folded text for keyword searches.

import type { Migration } from './migration.ts';

export const access: Migration = {
  name: 'access',
  statements: ({ text, dialect }) => [
    ...(dialect === 'postgres' ? [INSTR] : []),
    `create table installation (key ${text} primary key, value ${text} not null)`,
    `create table companies (
      guid ${text} primary key,
      name ${text} not null unique,
      description ${text},
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
    `create table users (
      guid ${text} primary key,
      login ${text} not null unique,
      name ${text} not null,
      role ${text} not null,
      title ${text}, dept ${text}, phone ${text}, mobile ${text}, email ${text},
      locale ${text} not null,
      company_guid ${text} not null references companies (guid),
      trust_hosts ${text} not null,
      idle_timeout integer not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
    'create index users_by_name on users (name, guid)',
    'create index users_by_company on users (company_guid)',
    `create table user_groups (
      guid ${text} primary key,
      company_guid ${text} not null references companies (guid),
      name ${text} not null,
      description ${text},
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      unique (company_guid, name))`,
    `create table user_group_members (
      group_guid ${text} not null references user_groups (guid) on delete cascade,
      user_guid ${text} not null references users (guid) on delete cascade,
      primary key (group_guid, user_guid))`,
    'create index user_group_members_by_user on user_group_members (user_guid)',
    `create table api_keys (
      guid ${text} primary key,
      user_guid ${text} not null references users (guid) on delete cascade,
      name ${text} not null,
      prefix ${text} not null,
      hash ${text} not null unique,
      trust_hosts ${text} not null,
      expires_at bigint,
      last_used bigint,
      search ${text} not null,
      created_at bigint not null)`,
    'create index api_keys_by_user on api_keys (user_guid)',
    `create table sessions (
      guid ${text} primary key,
      hash ${text} not null unique,
      key_guid ${text} not null references api_keys (guid) on delete cascade,
      created_at bigint not null,
      last_seen bigint not null)`,
    'create index sessions_by_key on sessions (key_guid)',
  ],
};

// The name that SQLite has for this function, so that «contains» is the same SQL on both.
const INSTR = `create function instr(text, text) returns integer
  language sql immutable strict parallel safe as 'select strpos($1, $2)'`;
