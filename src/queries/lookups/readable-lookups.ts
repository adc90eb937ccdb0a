// The stored lookups that an account may read, loaded when a text names them.

import type { Rightful } from '#access/caller.ts';
import { visibleLookups, writableLookups } from '#access/rights/lookup-rights.ts';
import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import { NamedObjects } from '#queries/names/named-objects.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { LookupRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { knownColumns } from './lookup-version.ts';

export class ReadableLookups implements MissingLoader {
  readonly #account: Rightful;
  readonly #lookups: NamedObjects<KnownLookup>;

  constructor(store: Store, account: Rightful) {
    this.#account = account;
    this.#lookups = new NamedObjects(store, {
      load: (db, names) => this.#load(db, names),
      names: async (db) => (await this.#visible(db).select('lookups.name').execute()).map(({ name }) => name),
    });
  }

  known(): ReadonlyMap<string, KnownLookup> {
    return this.#lookups.known((lookup) => lookup);
  }

  /** A lookup that it knows is seen as this row has it. */
  pin(row: LookupRow): void {
    this.#lookups.renew((lookup) =>
      lookup.guid === row.guid ? { ...lookup, key: row.key, columns: knownColumns(row) } : lookup,
    );
  }

  loadMissing(): Promise<boolean> {
    return this.#lookups.loadMissing();
  }

  /** A phase reads lookups as they are when it begins. */
  forget(): void {
    this.#lookups.forget();
  }

  async #load(db: Db, names: readonly string[]): Promise<(readonly [string, KnownLookup])[]> {
    const rows = await inChunks(names, (some) =>
      this.#visible(db)
        .where('lookups.name', 'in', [...some])
        .selectAll('lookups')
        .execute(),
    );
    const writable = await writableLookups(db, this.#account, rows);
    return rows.map((row) => {
      const { guid, name, key } = row;
      return [name, { name, key, columns: knownColumns(row), guid, isWritable: writable.has(guid) }] as const;
    });
  }

  #visible(db: Db) {
    return visibleLookups(db.selectFrom('lookups'), this.#account, db);
  }
}
