// Resolves references: which of many objects, of whatever kinds, exist, and what they are called. One statement for all
// kinds, so that whoever refers to a dozen things asks once.

import type { Db } from './kysely.ts';

/** By the word that messages have for them: where they are kept, and by which column they are referred to. */
const KEPT = {
  'address group': { table: 'address_groups', key: 'guid' },
  'alarm group': { table: 'alarm_groups', key: 'guid' },
  'audit category': { table: 'audit_categories', key: 'guid' },
  company: { table: 'companies', key: 'guid' },
  'crypto profile': { table: 'crypto_profiles', key: 'guid' },
  dataset: { table: 'datasets', key: 'guid' },
  'log schema': { table: 'log_schemas', key: 'code' },
  logger: { table: 'loggers', key: 'guid' },
  'logger group': { table: 'logger_groups', key: 'guid' },
  'logger model': { table: 'logger_models', key: 'guid' },
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

/** What was found: the names of those that exist. */
export interface Resolved {
  /** Undefined for one that does not exist. */
  nameOf(reference: Reference): string | undefined;
  /** In the order in which they were asked for. */
  readonly missing: readonly Reference[];
}

const PER_STATEMENT = 500;

/** Whether the caller may see them is not asked here. */
export async function resolved(db: Db, references: readonly Reference[]): Promise<Resolved> {
  const names = new Map<string, string>();
  const distinct = [...new Map(references.map((reference) => [idOf(reference), reference])).values()];
  for (let from = 0; from < distinct.length; from += PER_STATEMENT) {
    const [first, ...others] = partsOf(db, distinct.slice(from, from + PER_STATEMENT));
    const rows = await others.reduce((all, part) => all?.unionAll(part), first)?.execute();
    for (const { thing, key, name } of rows ?? []) names.set(idOf({ thing, key }), name);
  }
  return {
    nameOf: (reference) => names.get(idOf(reference)),
    missing: distinct.filter((reference) => !names.has(idOf(reference))),
  };
}

export const exists = async (db: Db, thing: Thing, key: string): Promise<boolean> =>
  (await resolved(db, [{ thing, key }])).missing.length === 0;

const idOf = ({ thing, key }: Reference): string => `${thing} ${key}`;

/** A select for every kind among them. */
function partsOf(db: Db, references: readonly Reference[]) {
  return [...Map.groupBy(references, ({ thing }) => thing)].map(([thing, some]) => {
    const { table, key } = KEPT[thing];
    // All of these tables have a name, and the key that is said of them above.
    const rows = db.selectFrom(table as 'companies');
    const column = key as 'guid';
    return rows
      .select((eb) => [eb.cast<Thing>(eb.val(thing), 'text').as('thing'), eb.ref(column).as('key'), 'name'])
      .where(
        column,
        'in',
        some.map((one) => one.key),
      );
  });
}
