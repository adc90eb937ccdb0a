// What objects are called, by the path that they are found under: for the audit trail, which names what a call was about,
// whoever may see it. Written without Kysely, because it is asked for with every change.

import type { Value } from './connection.ts';
import { connectionOf, type Db } from './kysely.ts';

export interface Collection {
  /** Undefined for what is in no table: queries live in memory. */
  readonly table?: string;
  /** The column that it is addressed by. */
  readonly key: string;
  /** What the trail calls the key. */
  readonly keyAs: string;
  /** The column of its name. A parameter of the same name gives it. */
  readonly name: string;
  /** Where a table holds more than one kind. */
  readonly kind?: string;
  /** What the trail calls the object that it is part of. */
  readonly within?: string;
}

const named = (table: string): Collection => ({ table, key: 'guid', keyAs: 'guid', name: 'name' });

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  'address-groups': named('address_groups'),
  'address-groups/addresses': { ...named('addresses'), name: 'ip', within: 'group' },
  'alarm-groups': named('alarm_groups'),
  'audit-categories': named('audit_categories'),
  'batch-rules': { ...named('rules'), kind: 'batch' },
  companies: named('companies'),
  'crypto-profiles': named('crypto_profiles'),
  cursors: { key: 'id', keyAs: 'id', name: 'q' },
  datasets: named('datasets'),
  'log-schemas': { ...named('log_schemas'), key: 'code', keyAs: 'code' },
  'logger-groups': named('logger_groups'),
  'logger-models': named('logger_models'),
  loggers: named('loggers'),
  procedures: named('procedures'),
  queries: { key: 'id', keyAs: 'id', name: 'q' },
  'rule-categories': named('rule_categories'),
  'scheduled-queries': named('scheduled_queries'),
  'stream-rules': { ...named('rules'), kind: 'stream' },
  'table-groups': named('table_groups'),
  tables: { ...named('log_tables'), key: 'name', keyAs: 'table' },
  'ticket-repos': named('ticket_repos'),
  tickets: { ...named('tickets'), name: 'title' },
  'upload-streams': { ...named('upload_streams'), key: 'token', keyAs: 'token', name: 'file_name' },
  'user-groups': named('user_groups'),
  users: named('users'),
  'users/api-keys': { ...named('api_keys'), keyAs: 'key_guid', within: 'user' },
};

/** Undefined where the path is none of objects. */
export const collectionAt = (path: string): Collection | undefined =>
  Object.hasOwn(COLLECTIONS, path) ? COLLECTIONS[path] : undefined;

const PER_STATEMENT = 500;
/** Titles of tickets from tables under key are not in their column, and must not be in the trail. */
const SEALED = '***';

/** The names of the first `most` of `keys` that exist, in their order. */
export async function namesOf(
  db: Db,
  { table, key, name, kind }: Collection,
  keys: readonly string[],
  most: number,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (table === undefined) return names;
  const ofKind = kind === undefined ? '' : 'kind = ? and ';
  for (let from = 0; from < keys.length && names.size < most; from += PER_STATEMENT) {
    const some = keys.slice(from, from + PER_STATEMENT);
    const places = some.map(() => '?').join(', ');
    const values: Value[] = kind === undefined ? some : [kind, ...some];
    const sql = `select ${key} as key, ${name} as name from ${table} where ${ofKind}${key} in (${places})`;
    const rows = await connectionOf(db).all(sql, values);
    const found = new Map(rows.map((row) => [String(row.key), String(row.name) || SEALED]));
    for (const one of some) {
      const foundName = found.get(one);
      if (foundName !== undefined && names.size < most) names.set(one, foundName);
    }
  }
  return names;
}
