// The address groups that rules of logger models refer to, in memory. Before logs are read their versions are looked up, and
// what has changed or expired is read again as a whole: a change acts on the next log.

import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { notExpired } from '#store/rows/addresses.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { Store } from '#store/store.ts';

/** Of groups that were not asked for lately. */
const MAX_KEPT = 200;

interface KnownGroup {
  /** Of its addresses. A group that is made again under its GUID counts anew, so the moment of its creation is part of it. */
  readonly version: string;
  readonly group: AddressGroup;
  /** When the first of its addresses expires, in epoch milliseconds. */
  readonly until: number;
}

const GUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The GUIDs in a text, in lower case: every group that it refers to is among them. */
export const guidsIn = (text: string): string[] => [...text.matchAll(GUID)].map(([guid]) => guid.toLowerCase());

export class ModelGroups {
  readonly #store: Store;
  #known: ReadonlyMap<string, KnownGroup> = new Map();
  #groups: ReadonlyMap<string, AddressGroup> = new Map();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those that were asked for and exist, by GUID. */
  get groups(): ReadonlyMap<string, AddressGroup> {
    return this.#groups;
  }

  /** Resolves when these are known as they are at the moment `now`. */
  async refresh(guids: readonly string[], now: number): Promise<void> {
    if (guids.length === 0) return;
    const found = await this.#store.read(async (db) => {
      const versions = await inChunks(guids, (some) =>
        db
          .selectFrom('address_groups')
          .select(['guid', 'version', 'created_at'])
          .where('guid', 'in', [...some])
          .execute(),
      );
      const stale = versions.filter((row) => !isFresh(this.#known.get(row.guid), row, now));
      const addresses = await inChunks(
        stale.map(({ guid }) => guid),
        (some) =>
          db
            .selectFrom('addresses')
            .select(['group_guid', 'ip', 'expires_at'])
            .where('group_guid', 'in', [...some])
            .where(notExpired(now))
            .execute(),
      );
      return { versions, stale, addresses };
    });
    const entries = Map.groupBy(found.addresses, ({ group_guid }) => group_guid);
    const read = found.stale.map((row) => [row.guid, knownGroup(row, entries.get(row.guid) ?? [])] as const);
    this.#keep(guids, new Set(found.versions.map(({ guid }) => guid)), new Map(read));
  }

  /** Replaced as a whole, so that each log is judged by the groups of one moment. */
  #keep(asked: readonly string[], existing: ReadonlySet<string>, read: ReadonlyMap<string, KnownGroup>): void {
    const others = [...this.#known].filter(([guid]) => !asked.includes(guid)).slice(-MAX_KEPT);
    const known = new Map(others);
    for (const guid of asked) {
      const group = read.get(guid) ?? this.#known.get(guid);
      if (group && existing.has(guid)) known.set(guid, group);
    }
    this.#known = known;
    this.#groups = new Map([...known].map(([guid, { group }]) => [guid, group]));
  }
}

interface GroupRow {
  readonly version: number;
  readonly created_at: number;
}

const versionOf = ({ version, created_at }: GroupRow): string => `${created_at} ${version}`;

const isFresh = (known: KnownGroup | undefined, row: GroupRow, now: number): boolean =>
  known !== undefined && known.version === versionOf(row) && known.until > now;

const knownGroup = (row: GroupRow, entries: readonly { ip: string; expires_at: number | null }[]): KnownGroup => ({
  version: versionOf(row),
  group: new AddressGroup(entries.map(({ ip }) => ip)),
  until: entries.reduce(
    (until, { expires_at }) => Math.min(until, expires_at ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  ),
});
