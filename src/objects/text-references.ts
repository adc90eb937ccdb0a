// References in the texts of queries and parsers: address groups by GUID; procedures, lookups and parsers by name.

import { eventLoop } from '#kernel/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import type { ReferrerKind } from './reference-record.ts';
import type { Referrer, Referring } from './referrer.ts';

/** Objects with query texts. */
interface QueryTexts {
  readonly kind: ReferrerKind;
  /** In the order of their names. */
  list(db: Db): Promise<readonly { readonly guid: string; readonly name: string; readonly text: string }[]>;
}

const textsIn = (kind: ReferrerKind, table: 'datasets' | 'procedures' | 'scheduled_queries'): QueryTexts => ({
  kind,
  list: (db) => db.selectFrom(table).select(['guid', 'name', 'query as text']).orderBy('name').execute(),
});

const TEXTS: readonly QueryTexts[] = [
  {
    kind: 'batch-rule',
    async list(db) {
      const rules = db.selectFrom('rules').select(['guid', 'name', 'snapshot']).where('kind', '=', 'batch');
      return (await rules.orderBy('name').execute()).map(({ guid, name, snapshot }) => {
        const { query, dataset_guid }: { query?: string; dataset_guid?: string } = JSON.parse(snapshot);
        // Commands that continue a dataset are not a query by themselves.
        return { guid, name, text: dataset_guid === undefined ? (query ?? '') : `json "{}" | ${query ?? ''}` };
      });
    },
  },
  textsIn('dataset', 'datasets'),
  textsIn('procedure', 'procedures'),
  textsIn('scheduled-query', 'scheduled_queries'),
];

/** Texts that contain the GUID of an address group. */
const groupsNamedIn = ({ kind, list }: QueryTexts): Referrer => ({
  kind,
  field: 'query',
  to: 'address-groups',
  async find(db, keys) {
    const texts = await list(db);
    return texts.flatMap(({ guid, name, text }) => {
      const written = text.toLowerCase();
      return keys.filter((key) => written.includes(key)).map((id) => ({ id, guid, name }));
    });
  },
});

/** Texts that call a procedure by name. */
const proceduresNamedIn = ({ kind, list }: QueryTexts): Referrer => ({
  kind,
  field: 'query',
  to: 'procedures',
  async find(db, keys) {
    const procedures = await db.selectFrom('procedures').select(['guid', 'name']).where('guid', 'in', keys).execute();
    const texts = (await list(db)).filter(({ text }) => text.includes('proc'));
    // Imported on demand: it loads the whole language.
    const { callsProcedure } = await import('#query/called-procedures.ts');
    const found: Referring[] = [];
    for (const { guid, name, text } of texts) {
      const named = procedures.filter((one) => text.includes(one.name) && callsProcedure(text, one.name));
      found.push(...named.map(({ guid: id }) => ({ id, guid, name })));
      if (named.length > 0) await eventLoop.nextSlot();
    }
    return found;
  },
});

/** Texts that name a stored lookup. */
const lookupsNamedIn = ({ kind, list }: QueryTexts): Referrer => ({
  kind,
  field: 'query',
  to: 'lookups',
  async find(db, keys) {
    const lookups = await db.selectFrom('lookups').select(['guid', 'name']).where('guid', 'in', keys).execute();
    const named = lookups.map(({ guid: id, name }) => ({ id, name }));
    const { namesLookup } = await import('#query/called-procedures.ts');
    return await naming(await list(db), named, namesLookup);
  },
});

/** Texts that run a parser. */
const parsersNamedIn = ({ kind, list }: QueryTexts): Referrer => ({
  kind,
  field: 'query',
  to: 'parsers',
  async find(db, keys) {
    const { namesParser } = await import('#query/called-procedures.ts');
    return await naming(
      await list(db),
      keys.map((id) => ({ id, name: id })),
      namesParser,
    );
  },
});

type Text = Awaited<ReturnType<QueryTexts['list']>>[number];

/** Most texts do not have the name at all, and are not parsed. */
async function naming(
  texts: readonly Text[],
  objects: readonly { readonly id: string; readonly name: string }[],
  names: (text: string, name: string) => boolean,
): Promise<Referring[]> {
  const found: Referring[] = [];
  for (const { guid, name, text } of texts) {
    const candidates = objects.filter((one) => text.includes(one.name));
    if (candidates.length === 0) continue;
    found.push(...candidates.filter((one) => names(text, one.name)).map(({ id }) => ({ id, guid, name })));
    await eventLoop.nextSlot();
  }
  return found;
}

/** Pipelines of stored parsers. They are no queries by themselves. */
const PARSER_TEXTS: QueryTexts = {
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
      return { guid: code, name, text: `json "{}" | ${query}` };
    });
  },
};

export const textReferrers: readonly Referrer[] = [
  ...TEXTS.flatMap((texts) => [groupsNamedIn(texts), proceduresNamedIn(texts)]),
  ...TEXTS.map(lookupsNamedIn),
  groupsNamedIn(PARSER_TEXTS),
  ...[...TEXTS, PARSER_TEXTS].map(parsersNamedIn),
];
