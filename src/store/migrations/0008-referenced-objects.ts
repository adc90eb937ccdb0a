// Objects that rules, loggers and queries refer to, and grants on the shared ones.

import type { Migration } from './migration.ts';

export const referencedObjects: Migration = {
  name: 'referenced objects',
  statements({ text }) {
    const named = `guid ${text} primary key, name ${text} not null unique, description ${text}`;
    const dated = `search ${text} not null, created_at bigint not null, updated_at bigint not null`;
    return [
      `create table datasets (${named}, query ${text} not null, pivot ${text}, owner_guid ${text} not null, ${dated})`,
      `create table ticket_repos (${named}, ${dated})`,
      `create table rule_categories (${named}, ${dated})`,
      `create table audit_categories (${named}, ${dated})`,
      `create table address_groups (${named}, version integer not null, ${dated})`,
      `create table addresses (
        guid ${text} primary key,
        group_guid ${text} not null references address_groups (guid) on delete cascade,
        ip ${text} not null,
        description ${text},
        hits bigint not null,
        expires_at bigint,
        ${dated},
        unique (group_guid, ip))`,
      `create table alarm_groups (${named}, ${dated})`,
      `create table alarm_members (
        group_guid ${text} not null references alarm_groups (guid) on delete cascade,
        ordinal integer not null,
        user_guid ${text},
        url ${text},
        secret ${text},
        primary key (group_guid, ordinal))`,
      'create index alarm_members_by_user on alarm_members (user_guid)',
      `create table logger_groups (${named}, parent_guid ${text} references logger_groups (guid), ${dated})`,
      `alter table loggers add column group_guid ${text}`,
      'create index loggers_by_group on loggers (group_guid)',
      'create index loggers_by_model on loggers (model_guid)',
      `create table procedures (
        ${named},
        query ${text} not null,
        parameters ${text},
        company_public integer not null,
        owner_guid ${text} not null,
        company_guid ${text} not null,
        ${dated})`,
      `create table object_grants (
        family ${text} not null,
        object_guid ${text} not null,
        holder_kind ${text} not null,
        holder_guid ${text} not null,
        read_only integer not null,
        created_at bigint not null,
        primary key (family, object_guid, holder_kind, holder_guid))`,
      'create index object_grants_by_holder on object_grants (holder_guid)',
    ];
  },
};
