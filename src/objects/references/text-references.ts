// References in the texts of queries and parsers: address groups by GUID; procedures, lookups and parsers by name.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Referrer, Referring } from './referrer.ts';
import { PARSER_TEXTS, QUERY_TEXTS, type QueryTexts, type SavedText } from './saved-texts.ts';

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
    const named = procedures.map(({ guid: id, name }) => ({ id, name }));
    // Imported on demand: it loads the whole language.
    const { callsProcedure } = await import('#query/called-procedures.ts');
    return await naming(await list(db), named, callsProcedure);
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

/** Most texts do not have the name at all, and are not parsed. */
async function naming(
  texts: readonly SavedText[],
  objects: readonly { readonly id: string; readonly name: string }[],
  names: (text: string, name: string) => SlicedWork<boolean>,
): Promise<Referring[]> {
  const found: Referring[] = [];
  for (const { guid, name, text } of texts) {
    const candidates = objects.filter((one) => text.includes(one.name));
    if (candidates.length === 0) continue;
    await eventLoop.nextSlot();
    for (const one of candidates) {
      if (await eventLoop.runInSlots(names(text, one.name))) found.push({ id: one.id, guid, name });
    }
  }
  return found;
}

export const textReferrers: readonly Referrer[] = [
  ...QUERY_TEXTS.flatMap((texts) => [groupsNamedIn(texts), proceduresNamedIn(texts)]),
  ...QUERY_TEXTS.map(lookupsNamedIn),
  groupsNamedIn(PARSER_TEXTS),
  ...[...QUERY_TEXTS, PARSER_TEXTS].map(parsersNamedIn),
];
