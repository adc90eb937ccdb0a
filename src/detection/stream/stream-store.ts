// The SQL of enabled stream rules.

import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Thing } from '#store/rows/resolve.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';

/** Existing objects among `guids`. */
export const rulesAmong = (db: Db, guids: readonly string[]): Promise<RuleRow[]> =>
  inChunks(guids, (chunk) =>
    db
      .selectFrom('rules')
      .selectAll()
      .where('kind', '=', 'stream')
      .where('guid', 'in', [...chunk])
      .execute(),
  );

/** Enabled rules that refer to one of the objects; a rule may be found more than once. */
export const enabledReferring = (db: Db, thing: Thing, keys: readonly string[]): Promise<RuleRow[]> =>
  inChunks(keys, (chunk) =>
    db
      .selectFrom('rules')
      .selectAll()
      .where('kind', '=', 'stream')
      .where('enabled', '=', 1)
      .where('guid', 'in', (eb) =>
        eb
          .selectFrom('rule_references')
          .select('rule_references.guid')
          .where('rule_references.kind', '=', 'stream')
          .where('thing', '=', thing)
          .where('object', 'in', [...chunk]),
      )
      .execute(),
  );

/** Undefined for a removed table. */
export async function isEncrypted(db: Db, table: number): Promise<boolean | undefined> {
  const row = await db.selectFrom('log_tables').select('encrypted').where('id', '=', table).executeTakeFirst();
  return row && row.encrypted === 1;
}
