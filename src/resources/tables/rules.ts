// What a table may refer to.

import { notFound } from '#contract/errors.ts';
import type { Db } from '#store/kysely.ts';
import { groupExists, schemaExists } from './store.ts';

export async function requireGroup(db: Db, guid: string | undefined): Promise<void> {
  if (guid !== undefined && !(await groupExists(db, guid))) throw notFound('table group', guid);
}

export async function requireSchema(db: Db, code: string | undefined): Promise<void> {
  if (code !== undefined && !(await schemaExists(db, code))) throw notFound('log schema', code);
}
