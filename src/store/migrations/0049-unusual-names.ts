// Names that may be kept in another form than that of today, in an index of their own: a new name is held against these alone,
// and not against all names of its table, while the writers of all nodes wait.

import type { Migration } from './migration.ts';

const NAMED = [
  ...['address_groups', 'alarm_groups', 'audit_categories', 'companies', 'connection_profiles', 'crypto_profiles'],
  ...['dashboards', 'datasets', 'log_schemas', 'logger_groups', 'logger_models', 'loggers', 'lookups', 'parsers'],
  ...['procedures', 'rule_categories', 'rules', 'scheduled_queries', 'table_groups', 'ticket_repos', 'user_groups'],
];

/** PostgreSQL takes a plain `or` of inequalities for true in nearly all rows, and would not use the index. */
const IS_UNUSUAL = 'case when octet_length(name) != length(name) or trim(name) != name then 1 else 0 end = 1';

export const unusualNames: Migration = {
  name: 'unusual names',
  statements: () => NAMED.map((table) => `create index ${table}_unusual_names on ${table} (name) where ${IS_UNUSUAL}`),
};
