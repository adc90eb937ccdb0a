// Cache of the address groups of stream rules. Changes on this node are applied incrementally, each with the version of its
// group; after a missed change, or a change on another node, the group is reloaded.

import type { Db } from '#store/kysely.ts';
import { groupsWithAddresses, versionsOf } from '#store/rows/addresses.ts';
import { type GroupEntry, LiveGroup } from './live-group.ts';

/** The changes of a unit to the addresses of a group. */
export interface GroupChange {
  readonly group: string;
  /** Version of the group after the change. */
  readonly version: number;
  readonly added: readonly GroupEntry[];
  readonly removed: readonly string[];
}

export class GroupCache {
  readonly #now: () => number;
  readonly #groups = new Map<string, LiveGroup>();
  /** Versions of existing groups. */
  readonly #versions = new Map<string, number>();

  /** `now` in epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** By GUID. A missing group is empty. */
  get groups(): ReadonlyMap<string, LiveGroup> {
    return this.#groups;
  }

  exists(guid: string): boolean {
    return this.#versions.has(guid);
  }

  /** Loads missing groups of `wanted` and evicts all others. */
  async retain(db: Db, wanted: ReadonlySet<string>): Promise<void> {
    for (const guid of this.#groups.keys()) {
      if (wanted.has(guid)) continue;
      this.#groups.delete(guid);
      this.#versions.delete(guid);
    }
    await this.read(
      db,
      [...wanted].filter((guid) => !this.#groups.has(guid)),
    );
  }

  async read(db: Db, guids: readonly string[]): Promise<void> {
    if (guids.length === 0) return;
    const whole = await groupsWithAddresses(db, guids, this.#now());
    for (const guid of guids) {
      const group = whole.get(guid);
      this.#groups.set(guid, new LiveGroup(group?.entries ?? [], this.#now));
      if (group) this.#versions.set(guid, group.version);
      else this.#versions.delete(guid);
    }
  }

  /** False when a change was missed and the group must be reloaded. */
  apply({ group: guid, version, added, removed }: GroupChange): boolean {
    const group = this.#groups.get(guid);
    if (!group) return true;
    const known = this.#versions.get(guid);
    if (known === undefined || known < version - 1) return false;
    if (known >= version) return true;
    group.add(added);
    group.remove(removed);
    this.#versions.set(guid, version);
    return true;
  }

  /** Groups whose version differs from the stored one; `isOther` where they were made or removed. */
  async staleGroups(db: Db): Promise<{ readonly guid: string; readonly isOther: boolean }[]> {
    const versions = await versionsOf(db, [...this.#groups.keys()]);
    return [...this.#groups.keys()]
      .filter((guid) => versions.get(guid) !== this.#versions.get(guid))
      .map((guid) => ({ guid, isOther: versions.has(guid) !== this.#versions.has(guid) }));
  }
}
