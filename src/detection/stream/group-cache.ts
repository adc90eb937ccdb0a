// The address groups that stream rules ask, in memory. Small changes are told as they are made, each with the version of its
// group; where one was missed, or somebody else made it, the group is read again as a whole.

import { groupsWhole, versionsOf } from '#store/addresses.ts';
import type { Db } from '#store/kysely.ts';
import { type GroupEntry, LiveGroup } from './live-group.ts';

/** What a unit did to the addresses of a group. */
export interface GroupChange {
  readonly group: string;
  /** The group's, afterwards. */
  readonly version: number;
  readonly added: readonly GroupEntry[];
  readonly removed: readonly string[];
}

export class GroupCache {
  readonly #now: () => number;
  readonly #groups = new Map<string, LiveGroup>();
  /** Of those that exist. */
  readonly #versions = new Map<string, number>();

  /** `now` in epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** By GUID. One that does not exist is empty. */
  get groups(): ReadonlyMap<string, LiveGroup> {
    return this.#groups;
  }

  exists(guid: string): boolean {
    return this.#versions.has(guid);
  }

  /** Reads those that are not known yet, and forgets all others. */
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
    const whole = await groupsWhole(db, guids, this.#now());
    for (const guid of guids) {
      const group = whole.get(guid);
      this.#groups.set(guid, new LiveGroup(group?.entries ?? [], this.#now));
      if (group) this.#versions.set(guid, group.version);
      else this.#versions.delete(guid);
    }
  }

  /** False where it cannot be told from this alone what the group holds now. */
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

  /** Those that are not what is stored. */
  async staleGroups(db: Db): Promise<string[]> {
    const versions = await versionsOf(db, [...this.#groups.keys()]);
    return [...this.#groups.keys()].filter((guid) => versions.get(guid) !== this.#versions.get(guid));
  }
}
