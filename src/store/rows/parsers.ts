// The SQL of stored parsers. Several rooms need it, so it stands here.

import type { Db } from '#store/kysely.ts';
import type { ParserRow } from '#store/schema/schema.ts';

export const findParser = (db: Db, code: string): Promise<ParserRow | undefined> =>
  db.selectFrom('parsers').selectAll().where('code', '=', code).executeTakeFirst();

export const everyParser = (db: Db): Promise<ParserRow[]> =>
  db.selectFrom('parsers').selectAll().orderBy('code').execute();
