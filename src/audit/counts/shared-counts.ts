// Counts whose audit entries are not written yet, in rows that all nodes of a database share. A row belongs to what is counted and
// to a period: each node adds its number to it, and any node writes the entry, with the whole number, once the period is over by
// a margin in which all have added. A number that comes later is a row and an entry of its own: none is lost, or counted twice.

import { hash } from 'node:crypto';
import type { Draft } from '#audit/entry.ts';
import { maskDraft } from '#audit/masking.ts';
import type { Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { COUNT_TABLES, type CountPeriod, type CountRow, type CountTable, tableOfNewRows } from './count-rows.ts';
import { withRangeOf } from './counted-range.ts';

const LOOK_PERIOD = Temporal.Duration.from({ seconds: 5 });
/** Longer than the period in which nodes add what they hold. */
const MARGIN_MS = 15_000;
/** Rows of one unit: all nodes wait for it. */
const ROWS_PER_UNIT = 200;

export interface Counted {
  readonly draft: Draft;
  readonly count: number;
}

interface SharedCountsDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly cluster: Pick<Cluster, 'nodes' | 'form'>;
  /** The one that nodes share. */
  readonly clock: Clock;
}

/** What is counted; `kind` tells it from others with the same key. */
export const countId = (kind: string, key: string): string => hash('sha256', `${kind} ${key}`, 'hex');

export const countedDraft = ({ draft, count }: Counted): Draft => ({
  ...draft,
  msg_params: { ...draft.msg_params, count },
});

/** What takes a `db` is part of a unit. */
export class SharedCounts {
  readonly #deps: SharedCountsDeps;
  #looking: Periodic | undefined;

  private constructor(deps: SharedCountsDeps) {
    this.#deps = deps;
  }

  static async open(deps: SharedCountsDeps): Promise<SharedCounts> {
    const counts = new SharedCounts(deps);
    await counts.#settleAlone();
    // One process alone ends its counts itself.
    counts.#looking = deps.cluster.form({ alone: () => undefined, shared: () => counts.#look() });
    return counts;
  }

  /** The row of `id` whose period ends last; that period may be over. */
  async newest(db: Db, id: string): Promise<CountRow | undefined> {
    const rows: CountRow[] = [];
    for (const table of COUNT_TABLES) rows.push(...nonEmpty(await table.newest(db, id)));
    return rows.sort((one, other) => other.until - one.until)[0];
  }

  /** Makes the row of a period, with which other nodes know that it has begun. */
  async begin(db: Db, row: Omit<CountRow, 'count'>): Promise<void> {
    await (await tableOfNewRows(db)).insert(db, masked({ ...row, count: 0 }));
  }

  /** Adds to the number of a period, which a crash does not lose from here on. */
  async add(db: Db, added: CountRow): Promise<void> {
    const row = masked(added);
    // Units are serialized on all nodes: nobody adds in between.
    const found = await find(db, added);
    if (!found) return await (await tableOfNewRows(db)).insert(db, row);
    const { table, row: known } = found;
    const draft = row.draft && withRangeOf(known.draft, row.draft);
    await table.update(db, { ...row, draft, count: known.count + row.count });
  }

  /** Ends a period before its time; none follows it. */
  async endEarly(db: Db, key: Pick<CountRow, 'id' | 'begun'>): Promise<void> {
    const found = await find(db, key);
    if (!found) return;
    const { lastRun: _, ...row } = found.row;
    await found.table.update(db, { ...row, until: Math.min(row.until, this.#deps.clock.nowMs()) });
  }

  /** The entry of a period at its end, where no other node can have added to it. */
  async write(db: Db, { id, begun, ...counted }: Counted & Pick<CountRow, 'id' | 'begun'>): Promise<void> {
    for (const table of COUNT_TABLES) await table.remove(db, [{ id, begun }]);
    this.#deps.trail.include(countedDraft(counted));
  }

  async close(): Promise<void> {
    await this.#looking?.close();
    await this.#settleAlone();
  }

  /** Where no other node lives, nobody adds to any row: all are over, as on a database of one process. */
  async #settleAlone(): Promise<void> {
    const { nodes } = this.#deps.cluster;
    await this.#settle(Number.MAX_SAFE_INTEGER, {
      mayBegin: async (db) => (await nodes.living(db)).length === 0,
      next: () => undefined,
    });
  }

  /** The store reports its failures itself; the next look repeats what has failed. */
  #look(): Periodic {
    const { clock } = this.#deps;
    return new Periodic({ clock, period: LOOK_PERIOD, work: () => this.#settleOver(), failed: ignoreFailure });
  }

  async #settleOver(): Promise<void> {
    const now = this.#deps.clock.nowMs();
    await this.#settle(now - MARGIN_MS, { mayBegin: async () => true, next: (row) => nextRow(row, now) });
  }

  /** Entries in place of the rows that have ended by a time. */
  async #settle(time: number, how: Settling): Promise<void> {
    const { store } = this.#deps;
    for (const table of COUNT_TABLES) {
      // Outside of a unit: mostly there is none.
      const [some] = await store.read((db) => table.over(db, time, 1));
      if (!some) continue;
      while ((await store.write((db) => this.#settleSome(db, { ...how, table, time }))) === ROWS_PER_UNIT);
    }
  }

  async #settleSome(db: Db, { table, time, mayBegin, next }: Settling & { table: CountTable; time: number }) {
    const rows = (await mayBegin(db)) ? await table.over(db, time, ROWS_PER_UNIT) : [];
    for (const row of rows.flatMap((one) => nonEmpty(next(one)))) await this.begin(db, row);
    if (rows.length > 0) await table.remove(db, rows);
    // Last in the unit, because its failure would not remove an entry.
    for (const { draft, count } of rows) if (draft && count) this.#deps.trail.include(countedDraft({ draft, count }));
    return rows.length;
  }
}

interface Settling {
  mayBegin(db: Db): Promise<boolean>;
  /** The period that follows one, if one does. */
  next(row: CountRow): Omit<CountRow, 'count'> | undefined;
}

async function find(db: Db, key: Pick<CountRow, 'id' | 'begun'>) {
  for (const table of COUNT_TABLES) {
    const row = await table.find(db, key);
    if (row) return { table, row };
  }
  return undefined;
}

/** By the row of the next period, nodes that have not counted in the last one know that a run is no first one. */
function nextRow({ id, begun, until, lastRun }: CountPeriod & CountRow, now: number) {
  const length = until - begun;
  if (lastRun === undefined || now >= lastRun + length) return undefined;
  return { id, begun: until, until: until + length, lastRun };
}

const masked = (row: CountRow): CountRow => (row.draft ? { ...row, draft: maskDraft(row.draft) } : row);

const nonEmpty = <T>(one: T | undefined): readonly T[] => (one === undefined ? [] : [one]);
