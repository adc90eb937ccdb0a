// The connection profiles that an account may use, loaded when a text names them.

import type { Rightful } from '#access/caller.ts';
import { type UsableProfile, usableProfileNames, usableProfiles } from '#connections/profiles.ts';
import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import type { KnownProfile } from '#query/planning/query-context.ts';
import type { Store } from '#store/store.ts';
import { NamedObjects } from './named-objects.ts';

export class KnownProfiles implements MissingLoader {
  readonly #profiles: NamedObjects<UsableProfile>;

  constructor(store: Store, account: Rightful) {
    this.#profiles = new NamedObjects(store, {
      load: async (db, names) => (await usableProfiles(db, names, account)).map((one) => [one.name, one] as const),
      names: (db) => usableProfileNames(db, account),
    });
  }

  known(): ReadonlyMap<string, KnownProfile> {
    return this.#profiles.known(({ guid, name, kind, writable, mayWrite }) => {
      return { guid, name, kind, mayWrite: mayWrite && writable === 1 };
    });
  }

  loadMissing(): Promise<boolean> {
    return this.#profiles.loadMissing();
  }
}
