// Detection rules and their versions. The row of a rule equals its newest version; `rule_references` lists the objects
// that the row refers to, to find the rules that refer to an object.

import type { Migration } from './migration.ts';

export const rules: Migration = {
  name: 'rules',
  statements: ({ text }) => [
    `create table rules (
      kind ${text} not null,
      guid ${text} not null,
      name ${text} not null,
      enabled integer not null,
      priority ${text} not null,
      category_guid ${text},
      schema_code ${text},
      version integer not null,
      snapshot ${text} not null,
      scheduled_since bigint not null,
      user_guid ${text} not null,
      user_name ${text} not null,
      company_guid ${text} not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (kind, guid),
      unique (kind, name))`,
    `create table rule_versions (
      kind ${text} not null,
      guid ${text} not null,
      version integer not null,
      name ${text} not null,
      change ${text} not null,
      restored_from integer,
      comment ${text},
      snapshot ${text} not null,
      user_guid ${text} not null,
      user_name ${text} not null,
      created_at bigint not null,
      primary key (kind, guid, version))`,
    `create table rule_references (
      kind ${text} not null,
      guid ${text} not null,
      field ${text} not null,
      thing ${text} not null,
      object ${text} not null,
      primary key (kind, guid, field, object))`,
    'create index rule_references_by_object on rule_references (thing, object)',
  ],
};
