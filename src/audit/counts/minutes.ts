// Minutes in which equal attempts are counted: of one process, or of all nodes that share a database.

import type { Draft } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { type Counted, countedDraft, countId, type SharedCounts } from './shared-counts.ts';

export const MINUTE_MS = 60_000;

interface Begun {
  readonly begun: number;
  readonly draft: Draft;
}

export interface Minutes {
  /** Begins a minute; gives the beginning and the entry of the one in which others count already. */
  begin(key: string, minute: Begun): Promise<Begun | undefined>;
  /** Writes what was counted in a minute that is over. */
  write(key: string, minute: Begun & Counted): Promise<void>;
}

interface MinutesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly counts: SharedCounts;
  readonly cluster: Pick<Cluster, 'form'>;
  /** Tells these attempts from others with the same keys. */
  readonly kind: string;
}

export const minutesOf = (deps: MinutesDeps): Minutes =>
  deps.cluster.form({ alone: () => ownMinutes(deps), shared: () => sharedMinutes(deps) });

const ownMinutes = ({ trail }: MinutesDeps): Minutes => ({
  begin: async () => undefined,
  write: (_, minute) => trail.record(countedDraft(minute)),
});

const sharedMinutes = ({ store, counts, kind }: MinutesDeps): Minutes => ({
  async begin(key, { begun, draft }) {
    const id = countId(kind, key);
    const newest = await store.write(async (db: Db) => {
      const known = await counts.newest(db, id);
      if (known && known.until > begun) return known;
      await counts.begin(db, { id, begun, until: begun + MINUTE_MS, draft });
      return undefined;
    });
    return newest && { begun: newest.begun, draft: newest.draft ?? draft };
  },
  async write(key, { begun, draft, count }) {
    const row = { id: countId(kind, key), begun, until: begun + MINUTE_MS, draft, count };
    await store.write((db) => counts.add(db, row));
  },
});
