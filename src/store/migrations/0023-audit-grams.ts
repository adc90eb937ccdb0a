// The text index of the audit trail on PostgreSQL: filled behind the entries, where the trigram index took most of the time of
// an insert. SQLite keeps its own in the search file.

import type { Migration } from './migration.ts';

export const auditGrams: Migration = {
  name: 'audit-grams',
  statements: ({ dialect }) => (dialect === 'postgres' ? ['drop index if exists audit_texts_trigrams', ...TABLES] : []),
};

const TABLES = [
  `create table audit_blocks (
    after_id integer primary key,
    to_id integer not null,
    entries integer not null,
    oldest bigint not null,
    newest bigint not null,
    hash text not null)`,
  `create table audit_grams (
    block integer not null,
    gram bigint not null,
    postings bytea not null,
    primary key (block, gram))`,
  // Compressing postings costs more than it saves.
  'alter table audit_grams alter column postings set storage external',
];
