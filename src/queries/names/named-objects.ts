// Objects that a text may name, loaded when it names them: planning asks for a name and goes on without it, and repeats once
// it is loaded (plan-until-known.ts).

import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';

interface NamedSource<T> {
  /** Those of the names that exist for the account. */
  load(db: Db, names: readonly string[]): Promise<Iterable<readonly [string, T]>>;
  /** Of all objects, for suggestions. */
  names(db: Db): Promise<readonly string[]>;
}

export class NamedObjects<T> implements MissingLoader {
  readonly #store: Store;
  readonly #source: NamedSource<T>;
  /** Undefined for an object that does not exist for the account. */
  readonly #loaded = new Map<string, T | undefined>();
  readonly #requested = new Set<string>();
  #isEveryNameRequested = false;
  #names: readonly string[] | undefined;

  constructor(store: Store, source: NamedSource<T>) {
    this.#store = store;
    this.#source = source;
  }

  /** Loaded objects; further requests are recorded. */
  known<K>(as: (object: T) => K): ReadonlyMap<string, K> {
    return new LazyObjects(
      (name) => {
        if (!this.#loaded.has(name)) this.#requested.add(name);
        const object = this.#loaded.get(name);
        return object === undefined ? undefined : as(object);
      },
      () => {
        // While objects are missing, the text is planned again anyway.
        this.#isEveryNameRequested ||= this.#names === undefined && this.#requested.size === 0;
        return this.#names ?? [];
      },
    );
  }

  async loadMissing(): Promise<boolean> {
    const names = [...this.#requested];
    const isNew = names.length > 0 || this.#isEveryNameRequested;
    this.#requested.clear();
    if (names.length > 0) {
      const found = await this.#store.read((db) => this.#source.load(db, names));
      for (const name of names) this.#loaded.set(name, undefined);
      for (const [name, object] of found) this.#loaded.set(name, object);
    }
    if (this.#isEveryNameRequested) this.#names = await this.#store.read((db) => this.#source.names(db));
    this.#isEveryNameRequested = false;
    return isNew;
  }

  /** Puts another in the place of each loaded object. */
  renew(change: (object: T) => T): void {
    for (const [name, object] of this.#loaded) if (object !== undefined) this.#loaded.set(name, change(object));
  }

  forget(): void {
    this.#loaded.clear();
    this.#names = undefined;
  }
}

class LazyObjects<K> extends Map<string, K> {
  readonly #named: (name: string) => K | undefined;
  readonly #everyName: () => readonly string[];

  constructor(named: (name: string) => K | undefined, everyName: () => readonly string[]) {
    super();
    this.#named = named;
    this.#everyName = everyName;
  }

  override get(name: string): K | undefined {
    return this.#named(name);
  }

  override keys(): MapIterator<string> {
    // An iterator of an array has all that one of a map has.
    return this.#everyName()[Symbol.iterator]() as MapIterator<string>;
  }
}
