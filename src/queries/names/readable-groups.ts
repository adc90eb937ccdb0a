// The address groups that a text refers to, as of planning or of the start of its run.

import type { MissingLoader } from '#queries/check/plan-until-known.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { addressesOf } from '#store/rows/addresses.ts';
import type { Store } from '#store/store.ts';

export class ReadableGroups implements MissingLoader {
  /** Grows with planning: the result of a setq may name further groups. */
  readonly groups = new Map<string, AddressGroup>();
  readonly #store: Store;
  readonly #absent = new Set<string>();
  readonly #requested = new Set<string>();
  #now: Temporal.Instant;

  constructor(store: Store, now: Temporal.Instant) {
    this.#store = store;
    this.#now = now;
  }

  /** GUIDs of existing groups; a GUID that is not loaded yet counts as existing. Each requested GUID is added to `named`. */
  known(named?: Set<string>): ReadonlySet<string> {
    return new LazyGuids((guid) => {
      named?.add(guid);
      if (!this.groups.has(guid) && !this.#absent.has(guid)) this.#requested.add(guid);
      return !this.#absent.has(guid);
    });
  }

  async loadMissing(): Promise<boolean> {
    const asked = [...this.#requested];
    this.#requested.clear();
    await this.#load(asked);
    return asked.length > 0;
  }

  /** Loads all groups again. */
  async reload(now: Temporal.Instant): Promise<void> {
    this.#now = now;
    const guids = [...this.groups.keys()];
    this.groups.clear();
    await this.#load(guids);
  }

  async #load(guids: readonly string[]): Promise<void> {
    if (guids.length === 0) return;
    const found = await this.#store.read((db) => addressesOf(db, guids, this.#now.epochMilliseconds));
    for (const guid of guids) {
      const entries = found.get(guid);
      if (entries) this.groups.set(guid, new AddressGroup(entries));
      else this.#absent.add(guid);
    }
  }
}

class LazyGuids extends Set<string> {
  readonly #isThere: (guid: string) => boolean;

  constructor(isThere: (guid: string) => boolean) {
    super();
    this.#isThere = isThere;
  }

  override has(guid: string): boolean {
    return this.#isThere(guid);
  }
}
