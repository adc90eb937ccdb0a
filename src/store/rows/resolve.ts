// Resolves references to objects of any kind: which exist, and their names. One statement for all kinds. Rules refer to
// many objects, so it is written without Kysely: see many.ts.

import { connectionOf, type Db } from '#store/kysely.ts';

/** Table and key column of each kind, by the word that messages use for it. */
const KEPT = {
  'address group': { table: 'address_groups', key: 'guid' },
  'alarm group': { table: 'alarm_groups', key: 'guid' },
  'audit category': { table: 'audit_categories', key: 'guid' },
  company: { table: 'companies', key: 'guid' },
  'connection profile': { table: 'connection_profiles', key: 'guid' },
  'crypto profile': { table: 'crypto_profiles', key: 'guid' },
  dashboard: { table: 'dashboards', key: 'guid' },
  dataset: { table: 'datasets', key: 'guid' },
  'log schema': { table: 'log_schemas', key: 'code' },
  logger: { table: 'loggers', key: 'guid' },
  'logger group': { table: 'logger_groups', key: 'guid' },
  'logger model': { table: 'logger_models', key: 'guid' },
  lookup: { table: 'lookups', key: 'guid' },
  parser: { table: 'parsers', key: 'code' },
  procedure: { table: 'procedures', key: 'guid' },
  'rule category': { table: 'rule_categories', key: 'guid' },
  table: { table: 'log_tables', key: 'name' },
  'table group': { table: 'table_groups', key: 'guid' },
  'ticket repository': { table: 'ticket_repos', key: 'guid' },
  user: { table: 'users', key: 'guid' },
  'user group': { table: 'user_groups', key: 'guid' },
} as const;

export type Thing = keyof typeof KEPT;

export interface Reference {
  readonly thing: Thing;
  readonly key: string;
}

/** Names of the referenced objects that exist. */
export interface ResolvedReferences {
  /** Undefined for an object that does not exist. */
  nameOf(reference: Reference): string | undefined;
  /** In the order of the request. */
  readonly missing: readonly Reference[];
}

const PER_STATEMENT = 500;

/** Does not check whether the caller may see the objects. */
export async function resolveReferences(db: Db, references: readonly Reference[]): Promise<ResolvedReferences> {
  const names = new Map<string, string>();
  const distinct = [...new Map(references.map((reference) => [idOf(reference), reference])).values()];
  for (let from = 0; from < distinct.length; from += PER_STATEMENT) {
    const byThing = Map.groupBy(distinct.slice(from, from + PER_STATEMENT), ({ thing }) => thing);
    const sql = [...byThing].map(([thing, some]) => selectOf(thing, some.length)).join(' union all ');
    const values = [...byThing].flatMap(([thing, some]) => [thing, ...some.map(({ key }) => key)]);
    for (const { thing, key, name } of await connectionOf(db).all(sql, values)) {
      names.set(`${thing} ${key}`, String(name));
    }
  }
  return {
    nameOf: (reference) => names.get(idOf(reference)),
    missing: distinct.filter((reference) => !names.has(idOf(reference))),
  };
}

export const exists = async (db: Db, thing: Thing, key: string): Promise<boolean> =>
  (await resolveReferences(db, [{ thing, key }])).missing.length === 0;

const idOf = ({ thing, key }: Reference): string => `${thing} ${key}`;

/** All of these tables have a name and the key of `KEPT`. */
function selectOf(thing: Thing, count: number): string {
  const { table, key } = KEPT[thing];
  const placeholders = Array(count).fill('?').join(', ');
  return `select cast(? as text) as thing, ${key} as key, name from ${table} where ${key} in (${placeholders})`;
}
