// The parsers that a text names, loaded when it names them. All accounts may use all of them.

import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { KnownParser, QueryContext } from '#query/planning/query-context.ts';
import { BUILT_IN_PARSERS, storedParser } from '#query/planning/stored-parsers.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';
import { NamedObjects } from './named-objects.ts';

export class StoredParsers implements MissingLoader {
  readonly #parsers: NamedObjects<KnownParser>;

  constructor(store: Store) {
    this.#parsers = new NamedObjects(store, {
      // A stored parser cannot have the code of a built-in one.
      load: async (db, codes) => [...(await storedOf(db, codes)), ...BUILT_IN_PARSERS],
      names: async (db) => [...BUILT_IN_PARSERS.keys(), ...(await storedCodes(db))],
    });
  }

  known(): QueryContext['parsers'] {
    return this.#parsers.known((parser) => parser);
  }

  loadMissing(): Promise<boolean> {
    return this.#parsers.loadMissing();
  }
}

async function storedOf(db: Db, codes: readonly string[]): Promise<(readonly [string, KnownParser])[]> {
  const rows = await inChunks(codes, (some) =>
    db
      .selectFrom('parsers')
      .select(['code', 'factory_name', 'configs'])
      .where('code', 'in', [...some])
      .execute(),
  );
  return rows.flatMap(({ code, factory_name, configs }) => {
    const parser = storedParser(factory_name, JSON.parse(configs ?? '{}'));
    return parser ? [[code, parser] as const] : [];
  });
}

const storedCodes = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('parsers').select('code').execute()).map(({ code }) => code);
