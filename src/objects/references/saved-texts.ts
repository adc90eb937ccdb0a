// The query texts that objects of the installation hold: for references in them, and for changes of the language that
// concern them.

import type { Db } from '#store/kysely.ts';
import type { ReferrerKind } from './reference-record.ts';

export interface SavedText {
  readonly guid: string;
  readonly name: string;
  readonly text: string;
  /** GUID of the dataset that the text continues: the dataset stands in place of `NO_ROWS`. */
  readonly dataset?: string;
}

/** Objects with query texts. */
export interface QueryTexts<K = ReferrerKind> {
  readonly kind: K;
  /** In the order of their names. */
  list(db: Db): Promise<readonly SavedText[]>;
}

/** Commands that continue rows are no query by themselves. */
export const NO_ROWS = 'json "{}" | ';

const textsIn = (kind: ReferrerKind, table: 'datasets' | 'procedures' | 'scheduled_queries'): QueryTexts => ({
  kind,
  list: (db) => db.selectFrom(table).select(['guid', 'name', 'query as text']).orderBy('name').execute(),
});

const rulesOf = (db: Db, kind: 'batch' | 'stream') =>
  db.selectFrom('rules').select(['guid', 'name', 'snapshot']).where('kind', '=', kind).orderBy('name').execute();

export const QUERY_TEXTS: readonly QueryTexts[] = [
  {
    kind: 'batch-rule',
    async list(db) {
      return (await rulesOf(db, 'batch')).map(({ guid, name, snapshot }) => {
        const { query = '', dataset_guid: dataset }: { query?: string; dataset_guid?: string } = JSON.parse(snapshot);
        return dataset === undefined
          ? { guid, name, text: query }
          : { guid, name, text: `${NO_ROWS}${query}`, dataset };
      });
    },
  },
  textsIn('dataset', 'datasets'),
  textsIn('procedure', 'procedures'),
  textsIn('scheduled-query', 'scheduled_queries'),
];

/** Pipelines of stored parsers. */
export const PARSER_TEXTS: QueryTexts = {
  kind: 'parser',
  async list(db) {
    const rows = await db
      .selectFrom('parsers')
      .select(['code', 'name', 'configs'])
      .where('factory_name', '=', 'query')
      .orderBy('name')
      .execute();
    return rows.map(({ code, name, configs }) => {
      const { query = '' }: { query?: string } = JSON.parse(configs ?? '{}');
      return { guid: code, name, text: `${NO_ROWS}${query}` };
    });
  },
};

/** Conditions of stream rules; one object may have several. */
export const CONDITION_TEXTS: QueryTexts = {
  kind: 'stream-rule',
  async list(db) {
    return (await rulesOf(db, 'stream')).flatMap(({ guid, name, snapshot }) => {
      const { commands = [] }: { commands?: readonly { readonly query: string }[] } = JSON.parse(snapshot);
      return commands.map(({ query }) => ({ guid, name, text: `${NO_ROWS}${query}` }));
    });
  },
};

/** Panels of dashboards; one object may have several. */
export const PANEL_TEXTS: QueryTexts<'dashboard'> = {
  kind: 'dashboard',
  async list(db) {
    const rows = await db.selectFrom('dashboards').select(['guid', 'name', 'layout']).orderBy('name').execute();
    return rows.flatMap(({ guid, name, layout }) => {
      const { panels = [] }: { panels?: readonly { readonly query: string }[] } = JSON.parse(layout);
      return panels.map(({ query }) => ({ guid, name, text: query }));
    });
  },
};
