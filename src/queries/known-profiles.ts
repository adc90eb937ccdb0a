// The connection profiles that an account may use, loaded when a text names them.

import type { Rightful } from '#access/caller.ts';
import { type UsableProfile, usableProfileNames, usableProfiles } from '#connections/profiles.ts';
import type { KnownProfile } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';
import type { MissingLoader } from './plan-until-known.ts';

export class KnownProfiles implements MissingLoader {
  readonly #store: Store;
  readonly #account: Rightful;
  /** Undefined for a profile that does not exist for the account. */
  readonly #profiles = new Map<string, UsableProfile | undefined>();
  readonly #requested = new Set<string>();
  #isEveryNameRequested = false;
  #names: readonly string[] | undefined;

  constructor(store: Store, account: Rightful) {
    this.#store = store;
    this.#account = account;
  }

  known(): ReadonlyMap<string, KnownProfile> {
    return new LazyProfiles(
      (name) => {
        if (!this.#profiles.has(name)) this.#requested.add(name);
        return this.#profiles.get(name);
      },
      () => {
        // While profiles are missing, the text is planned again anyway.
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
      const found = await this.#store.read((db) => usableProfiles(db, names, this.#account));
      for (const name of names) this.#profiles.set(name, undefined);
      for (const profile of found) this.#profiles.set(profile.name, profile);
    }
    if (this.#isEveryNameRequested) {
      this.#names = await this.#store.read((db) => usableProfileNames(db, this.#account));
    }
    this.#isEveryNameRequested = false;
    return isNew;
  }
}

class LazyProfiles extends Map<string, KnownProfile> {
  readonly #named: (name: string) => KnownProfile | undefined;
  readonly #everyName: () => readonly string[];

  constructor(named: (name: string) => UsableProfile | undefined, everyName: () => readonly string[]) {
    super();
    this.#named = (name) => {
      const found = named(name);
      if (!found) return undefined;
      const { guid, kind, writable, mayWrite } = found;
      return { guid, name: found.name, kind, mayWrite: mayWrite && writable === 1 };
    };
    this.#everyName = everyName;
  }

  override get(name: string): KnownProfile | undefined {
    return this.#named(name);
  }

  override keys(): MapIterator<string> {
    return this.#everyName()[Symbol.iterator]() as MapIterator<string>;
  }
}
