// The audit trail: hashed entries, their search text, and the signed checkpoints.

import type { Migration } from './migration.ts';

export const auditTrail: Migration = {
  name: 'audit trail',
  statements: ({ text, dialect }) => [
    `create table audit_entries (
      id integer primary key,
      user_guid ${text},
      user_name ${text} not null,
      company_guid ${text},
      remote_ip ${text} not null,
      module ${text} not null,
      method ${text} not null,
      params ${text},
      msg_params ${text},
      error ${text},
      created_at bigint not null,
      hash ${text} not null)`,
    'create index audit_entries_by_time on audit_entries (created_at, module, method)',
    'create index audit_entries_by_action on audit_entries (module, method)',
    `create table audit_texts (id integer primary key, text ${text} not null)`,
    `create table audit_checkpoints (
      id integer primary key,
      hash ${text} not null,
      root ${text} not null,
      created_at bigint not null,
      signature ${text} not null,
      frontier ${text} not null)`,
    ...(dialect === 'postgres' ? [TRIGRAM_INDEX] : []),
  ],
};

// pg_trgm ships with the server but may be withheld from our role; the search is then a plain scan.
const TRIGRAM_INDEX = `do $$ begin
  create extension if not exists pg_trgm;
  create index audit_texts_trigrams on audit_texts using gin (text gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available';
end $$`;
