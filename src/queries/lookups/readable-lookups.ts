// The stored lookups that an account may read, loaded when a text names them.

import type { Rightful } from '#access/caller.ts';
import { visibleLookups, writableLookups } from '#access/lookup-rights.ts';
import type { MissingLoader } from '#queries/plan-until-known.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { LookupRow } from '#store/schema.ts';
import type { Store } from '#store/store.ts';
import { knownColumns } from './lookup-version.ts';

export class ReadableLookups implements MissingLoader {
  readonly #store: Store;
  readonly #account: Rightful;
  /** Undefined for a lookup that does not exist for the account. */
  readonly #known = new Map<string, KnownLookup | undefined>();
  readonly #requested = new Set<string>();
  #isEveryNameRequested = false;
  #names: readonly string[] | undefined;

  constructor(store: Store, account: Rightful) {
    this.#store = store;
    this.#account = account;
  }

  known(): ReadonlyMap<string, KnownLookup> {
    return new LazyLookups({
      named: (name) => {
        if (!this.#known.has(name)) this.#requested.add(name);
        return this.#known.get(name);
      },
      names: () => {
        // While lookups are missing, the text is planned again anyway.
        this.#isEveryNameRequested ||= this.#names === undefined && this.#requested.size === 0;
        return this.#names ?? [];
      },
    });
  }

  /** A lookup that it knows is seen as this row has it. */
  pin(row: LookupRow): void {
    const known = [...this.#known.values()].find((one) => one?.guid === row.guid);
    if (known) this.#known.set(known.name, { ...known, key: row.key, columns: knownColumns(row) });
  }

  async loadMissing(): Promise<boolean> {
    const names = [...this.#requested];
    const isNew = names.length > 0 || this.#isEveryNameRequested;
    this.#requested.clear();
    if (names.length > 0) await this.#store.read((db) => this.#load(db, names));
    if (this.#isEveryNameRequested) this.#names = await this.#store.read((db) => this.#everyName(db));
    this.#isEveryNameRequested = false;
    return isNew;
  }

  /** A phase reads lookups as they are when it begins. */
  forget(): void {
    this.#known.clear();
    this.#names = undefined;
  }

  async #load(db: Db, names: readonly string[]): Promise<void> {
    const rows = await inChunks(names, (some) =>
      this.#visible(db)
        .where('lookups.name', 'in', [...some])
        .selectAll('lookups')
        .execute(),
    );
    const writable = await writableLookups(db, this.#account, rows);
    for (const name of names) this.#known.set(name, undefined);
    for (const row of rows) {
      const { guid, name, key } = row;
      this.#known.set(name, { name, key, columns: knownColumns(row), guid, isWritable: writable.has(guid) });
    }
  }

  async #everyName(db: Db): Promise<string[]> {
    return (await this.#visible(db).select('lookups.name').execute()).map(({ name }) => name);
  }

  #visible(db: Db) {
    return visibleLookups(db.selectFrom('lookups'), this.#account, db);
  }
}

interface LookupSource {
  named(name: string): KnownLookup | undefined;
  names(): readonly string[];
}

class LazyLookups extends Map<string, KnownLookup> {
  readonly #answers: LookupSource;

  constructor(answers: LookupSource) {
    super();
    this.#answers = answers;
  }

  override get(name: string): KnownLookup | undefined {
    return this.#answers.named(name);
  }

  override keys(): MapIterator<string> {
    return this.#answers.names()[Symbol.iterator]() as MapIterator<string>;
  }
}
