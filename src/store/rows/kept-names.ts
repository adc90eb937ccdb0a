// Names of objects by their path, for the audit trail, which names the objects of a call regardless of who may see
// them. Without Kysely, because every change asks for them.

import type { Value } from '#store/connection.ts';
import { connectionOf, type Db } from '#store/kysely.ts';

export interface Collection {
  /** Undefined for objects without a table: queries live in memory. */
  readonly table?: string;
  /** Column of the key in the path. */
  readonly key: string;
  /** Field of the audit trail for the key. */
  readonly keyAs: string;
  /** Column of the name, and the parameter that carries it. */
  readonly name: string;
  /** For a table that holds several kinds. */
  readonly kind?: string;
  /** Field of the audit trail for the object that contains this one. */
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
  'connection-profiles': named('connection_profiles'),
  'crypto-profiles': named('crypto_profiles'),
  cursors: { key: 'id', keyAs: 'id', name: 'q' },
  dashboards: named('dashboards'),
  datasets: named('datasets'),
  events: { ...named('events'), name: 'rule_name' },
  'log-schemas': { ...named('log_schemas'), key: 'code', keyAs: 'code' },
  'logger-groups': named('logger_groups'),
  'logger-models': named('logger_models'),
  loggers: named('loggers'),
  lookups: named('lookups'),
  parsers: { ...named('parsers'), key: 'code', keyAs: 'code' },
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

/** Undefined for a path without objects. */
export const collectionAt = (path: string): Collection | undefined =>
  Object.hasOwn(COLLECTIONS, path) ? COLLECTIONS[path] : undefined;

const PER_STATEMENT = 500;
/** Titles of tickets from encrypted tables are sealed and must not reach the trail. */
const SEALED = '***';

/** Names of the first `max` keys that exist, in the order of `keys`. */
export async function namesOf(
  db: Db,
  { table, key, name, kind }: Collection,
  keys: readonly string[],
  max: number,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (table === undefined) return names;
  const ofKind = kind === undefined ? '' : 'kind = ? and ';
  for (let from = 0; from < keys.length && names.size < max; from += PER_STATEMENT) {
    const some = keys.slice(from, from + PER_STATEMENT);
    const placeholders = some.map(() => '?').join(', ');
    const values: Value[] = kind === undefined ? some : [kind, ...some];
    const sql = `select ${key} as key, ${name} as name from ${table} where ${ofKind}${key} in (${placeholders})`;
    const rows = await connectionOf(db).all(sql, values);
    const found = new Map(rows.map((row) => [String(row.key), String(row.name) || SEALED]));
    for (const one of some) {
      const foundName = found.get(one);
      if (foundName !== undefined && names.size < max) names.set(one, foundName);
    }
  }
  return names;
}
