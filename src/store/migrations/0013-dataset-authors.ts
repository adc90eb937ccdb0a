// The account that last changed the query of a dataset: batch rules run it with the rights of that account. For older
// datasets it comes from the audit trail: the account of the oldest among the newest updates that all wrote the present
// text. Without such an update it is the owner.

import type { Connection } from '#store/connection.ts';
import type { Migration } from './migration.ts';

export const datasetAuthors: Migration = {
  name: 'dataset authors',
  statements: ({ text }) => [
    `alter table datasets add column query_user_guid ${text} not null default ''`,
    'update datasets set query_user_guid = owner_guid',
    'create index datasets_by_query_user on datasets (query_user_guid)',
  ],
  async fill(connection) {
    for (const [guid, author] of await authorsOf(connection)) {
      await connection.all('update datasets set query_user_guid = ? where guid = ?', [author, guid]);
    }
  },
};

/** Ids of audit entries are integers of 32 bits. */
const MAX_ID = 2_147_483_647;
/** Audit entries per page. */
const PAGE = 1000;
/** Audit entries hold this many characters of a text. */
const KEPT_CHARACTERS = 2000;

/** By the guid of the dataset; datasets without an update have no entry. */
async function authorsOf(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const datasets = await connection.all('select guid, query from datasets');
  const texts = new Map(datasets.map(({ guid, query }) => [String(guid), kept(String(query))]));
  const authors = new Map<string, string>();
  let newest = MAX_ID;
  while (texts.size > 0) {
    const entries = await connection.all(
      `select id, user_guid, params from audit_entries
       where module = 'datasets' and method = 'update' and error is null and id <= ? order by id desc limit ${PAGE}`,
      [newest],
    );
    for (const { user_guid, params } of entries) {
      const { guid, query } = updateIn(params);
      const text = texts.get(guid);
      if (text === undefined) continue;
      // Updates before a different text do not count.
      if (typeof query !== 'string' || kept(query) !== text) texts.delete(guid);
      else if (typeof user_guid === 'string') authors.set(guid, user_guid);
    }
    if (entries.length < PAGE) break;
    newest = Number(entries.at(-1)?.id) - 1;
  }
  return authors;
}

function updateIn(params: unknown): { guid: string; query?: unknown } {
  const raw: { guid?: unknown; query?: unknown } = JSON.parse(typeof params === 'string' ? params : '{}');
  return { guid: String(raw.guid ?? '').toLowerCase(), query: raw.query };
}

const kept = (text: string): string => [...text].slice(0, KEPT_CHARACTERS).join('');
