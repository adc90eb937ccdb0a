// The SQL of stored parsers. Several rooms need it, so it stands here.

import type { Db } from './kysely.ts';
import type { ParserRow } from './schema.ts';

export const findParser = (db: Db, code: string): Promise<ParserRow | undefined> =>
  db.selectFrom('parsers').selectAll().where('code', '=', code).executeTakeFirst();

export const everyParser = (db: Db): Promise<ParserRow[]> =>
  db.selectFrom('parsers').selectAll().orderBy('code').execute();
