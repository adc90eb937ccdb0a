// The SQL of stored lookups and their versions. Several rooms need it, so it stands here.

import type { Db } from '#store/kysely.ts';
import type { LookupRow } from '#store/schema/schema.ts';

export const findLookup = (db: Db, guid: string): Promise<LookupRow | undefined> =>
  db.selectFrom('lookups').selectAll().where('guid', '=', guid).executeTakeFirst();

/** The file that is in force, with the columns that it was written with. */
export interface LookupState {
  readonly file: string;
  readonly file_columns: string;
  readonly row_count: number;
  readonly size: number;
}

/** Puts a new version into force. Gives its number; undefined where the lookup has gone. */
export async function putVersion(db: Db, guid: string, state: LookupState, now: number): Promise<number | undefined> {
  const changed = await db
    .updateTable('lookups')
    .set((eb) => ({ ...state, version: eb('version', '+', 1), updated_at: now }))
    .where('guid', '=', guid)
    .returning('version')
    .executeTakeFirst();
  return changed?.version;
}

/** Files of all lookups, each with the GUID of its own. */
export async function lookupFiles(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('lookups').select(['file', 'guid']).where('file', 'is not', null).execute();
  return new Map(rows.flatMap(({ file, guid }) => (file === null ? [] : [[file, guid] as const])));
}
