// Names that are, or may be, kept in another form than that of today (kernel/text/names.ts), in an index of their own: a new name is held
// against these alone. The index of `unusual names` has every name that is not ASCII; it stays for older nodes.

import type { DialectName } from '#store/connection.ts';
import type { Migration } from './migration.ts';

const NAMED = [
  ...['address_groups', 'alarm_groups', 'audit_categories', 'companies', 'connection_profiles', 'crypto_profiles'],
  ...['dashboards', 'datasets', 'log_schemas', 'logger_groups', 'logger_models', 'loggers', 'lookups', 'parsers'],
  ...['procedures', 'rule_categories', 'rules', 'scheduled_queries', 'table_groups', 'ticket_repos', 'user_groups'],
];

/** Characters that `trim` of JavaScript takes away. */
export const BLANKS =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * Ranges of characters that are in the composed form (NFC) wherever they stand: ASCII, Latin, Cyrillic, Japanese, Chinese and
 * Korean without combining characters.
 */
export const COMPOSED = ' -~¡-˿Ѐ-҂Ҋ-ԯḀ-ỿぁ-ゖァ-ヺー-ヿ一-鿿가-힣';

const IS_OTHER = {
  postgres: 'name is not nfc normalized',
  // SQLite knows no forms: a name with any other character may be in another one.
  sqlite: `name glob '*[^${COMPOSED}]*'`,
};

const TRIM = { postgres: 'btrim', sqlite: 'trim' };

/** A condition on `name`. PostgreSQL takes a plain `or` for true in nearly all rows, and would not use the index. */
export const mayBeInOtherForm = (dialect: DialectName): string =>
  `case when ${IS_OTHER[dialect]} or ${TRIM[dialect]}(name, '${BLANKS}') != name then 1 else 0 end = 1`;

export const otherForms: Migration = {
  name: 'other forms of names',
  statements: ({ dialect }) =>
    NAMED.map((table) => `create index ${table}_other_forms on ${table} (name) where ${mayBeInOtherForm(dialect)}`),
};
