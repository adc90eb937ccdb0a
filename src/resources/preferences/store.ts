// The SQL of preferences.

import { parseJson } from '#kernel/json/parse-json.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { Db } from '#store/kysely.ts';

export async function findPreferences(db: Db, userGuid: string): Promise<JsonObject> {
  const row = await db.selectFrom('preferences').select('content').where('user_guid', '=', userGuid).executeTakeFirst();
  return row ? parseJson(row.content) : {};
}

export async function replacePreferences(db: Db, userGuid: string, preferences: JsonObject): Promise<void> {
  const content = JSON.stringify(preferences);
  await db
    .insertInto('preferences')
    .values({ user_guid: userGuid, content })
    .onConflict((conflict) => conflict.column('user_guid').doUpdateSet({ content }))
    .execute();
}
