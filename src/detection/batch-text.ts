// The query of a batch rule: its own, that of its dataset, or the dataset's with the rule's commands after it.

import type { Db } from '#store/kysely.ts';

interface BatchSource {
  readonly dataset_guid?: unknown;
  readonly query?: unknown;
}

/** Empty, which no query is, when its dataset has gone: a run of it fails and says so. */
export async function textOfBatch(db: Db, { dataset_guid, query }: BatchSource): Promise<string> {
  const own = typeof query === 'string' ? query : undefined;
  if (typeof dataset_guid !== 'string') return own ?? '';
  const dataset = await db.selectFrom('datasets').select('query').where('guid', '=', dataset_guid).executeTakeFirst();
  if (!dataset) return '';
  return own === undefined ? dataset.query : `${dataset.query} | ${own}`;
}
