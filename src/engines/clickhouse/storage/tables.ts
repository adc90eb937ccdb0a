// All tables on ClickHouse: each is opened with its first use. Rounds of maintenance carry out what could not be carried out at
// once, and remove days past the retention of their table.

import type { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import { answered } from '#engines/clickhouse/server/failures.ts';
import { retentionOf, tableSpecs } from '#engines/duckdb/storage/catalog.ts';
import { ColumnRegistry } from '#engines/duckdb/storage/columns.ts';
import { TableGone, type TableSpec } from '#engines/engine.ts';
import { type Clock, systemClock, withTimeout } from '#kernel/clock.ts';
import { Days } from '#kernel/days.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import { abandonUploads, beginRemovals, knownTables, openCatalog } from './catalog.ts';
import { Cleaning } from './cleaning.ts';
import type { Figures } from './figures.ts';
import { layOut, presentTables } from './laid-out-tables.ts';
import { dayNumber } from './layout.ts';
import type { Shards } from './shards.ts';
import { ClickhouseTable } from './table.ts';

interface TablesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  readonly groupFor: Temporal.Duration;
  readonly node: string;
  readonly shards: Shards;
  readonly arrivalClock: ArrivalClock;
  readonly figures: Figures;
  /** A server that was added to the cluster of these; absent where there is no cluster. */
  readonly addedShard?: (present: readonly ClickhouseClient[]) => Promise<AddedShard | undefined>;
  failed(error: unknown): void;
}

/** A server that may be used and holds nothing yet. */
export interface AddedShard {
  readonly client: ClickhouseClient;
  /** From then on it is missed where it is gone. */
  remember(): Promise<void>;
}

/** For records of an upload that is not committed; they are hidden, and deleted all the same. */
const ABANDON_WAIT = Temporal.Duration.from({ seconds: 5 });

export class Tables {
  readonly #deps: TablesDeps;
  readonly #days: Days;
  readonly #cleaning: Cleaning;
  readonly #opening = new Map<number, Promise<ClickhouseTable>>();
  readonly #open = new Map<number, ClickhouseTable>();
  readonly #closing = new AbortController();
  /** Servers that have all tables with their names. */
  #complete = 0;
  #round: Promise<void> | undefined;

  constructor(deps: TablesDeps) {
    this.#deps = deps;
    this.#days = new Days(deps.zone);
    this.#cleaning = new Cleaning(deps);
  }

  /** Undefined where it was not used yet. */
  opened(id: number): ClickhouseTable | undefined {
    return this.#open.get(id);
  }

  /** On all shards. */
  async open(spec: TableSpec): Promise<ClickhouseTable> {
    const table = await this.#opened(spec);
    await answered(table.spread());
    return table;
  }

  #opened(spec: TableSpec): Promise<ClickhouseTable> {
    const known = this.#opening.get(spec.id);
    if (known) return known;
    const opening = this.#openTable(spec).catch((error) => {
      this.#opening.delete(spec.id);
      throw error;
    });
    this.#opening.set(spec.id, opening);
    return opening;
  }

  /** Removes whole days, if `isStill` says so in the unit that hides them. */
  async removeDays(
    spec: TableSpec,
    isMeant: (day: string) => boolean,
    isStill?: (db: Db) => Promise<boolean>,
  ): Promise<void> {
    const { store, figures, arrivalClock } = this.#deps;
    const table = await this.open(spec);
    // Between inserts: none of them is half among the removed records.
    await table.between(async () => {
      figures.invalidate();
      const days = [...(await answered(figures.days(spec.id))).keys()].filter(isMeant).map(dayNumber);
      if (days.length === 0) return;
      await beginRemovals(store, { tableId: spec.id, days, arrived: arrivalClock.next() }, isStill);
      table.readers.hide();
      await this.#removeUnread(table);
      figures.invalidate();
    });
  }

  /** The row of the table is gone. Where it rejects, the next round of maintenance drops its records. */
  async drop(id: number): Promise<void> {
    const opened = this.#opening.get(id);
    this.#opening.delete(id);
    this.#open.delete(id);
    await (await opened?.catch(() => undefined))?.drop();
    await this.#cleaning.dropTable(id);
    this.#deps.figures.invalidate();
  }

  /** Joins the round that is under way, if one is. */
  maintain(): Promise<void> {
    this.#round ??= this.#maintainOnce().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#round;
    for (const table of this.#open.values()) await table.close();
  }

  /** A failure of one part must not keep the others from their maintenance. */
  async #maintainOnce(): Promise<void> {
    const steps = [
      () => this.#addShards(),
      () => this.#completeShards(),
      () => this.#dropRemoved(),
      () => this.#cleaning.deleteUploads(),
      () => this.#removeHidden(),
      () => this.#removeExpired(),
    ];
    for (const step of steps) {
      if (this.#closing.signal.aborted) return;
      await step().catch((error) => this.#closing.signal.aborted || this.#deps.failed(error));
    }
  }

  /** All tables are there before records are: nothing else asks whether a shard has a table. */
  async #addShards(): Promise<void> {
    const { shards, store, addedShard } = this.#deps;
    for (;;) {
      const added = addedShard && (await answered(addedShard(shards.all)));
      if (!added) return;
      try {
        const ids = new Set(await knownTables(store));
        for (const spec of (await tableSpecs(store)).filter(({ id }) => ids.has(id))) {
          const learnt = await openCatalog(store, spec);
          if (learnt) await answered(layOut(added.client, spec, new ColumnRegistry(learnt).columns));
        }
        await added.remember();
      } catch (error) {
        await added.client.close();
        throw error;
      }
      shards.add(added.client);
    }
  }

  /** Tables that were made while a shard was added, or by an earlier version, which gave no names. */
  async #completeShards(): Promise<void> {
    const { shards, store } = this.#deps;
    const { length } = shards.all;
    if (this.#complete === length) return;
    const servers = await answered(shards.each(presentTables));
    // One that was never used is nowhere, and is made with its first use.
    const isPartly = ({ id }: TableSpec) =>
      servers.some((tables) => tables.has(id)) && !servers.every((tables) => tables.get(id));
    for (const spec of (await tableSpecs(store)).filter(isPartly)) await this.open(spec);
    this.#complete = length;
  }

  async #dropRemoved(): Promise<void> {
    for (const id of await this.#cleaning.dropped()) await this.drop(id);
  }

  /** Days that could not be removed at once. */
  async #removeHidden(): Promise<void> {
    const { store } = this.#deps;
    const rows = await store.reader.all('select distinct table_id from clickhouse_removals');
    const ids = new Set(rows.map(({ table_id }) => Number(table_id)));
    if (ids.size === 0) return;
    for (const spec of (await tableSpecs(store)).filter(({ id }) => ids.has(id))) {
      const table = await this.open(spec);
      await table.between(() => this.#removeUnread(table));
    }
  }

  /** Hidden days, unless a run that began before they were hidden may read them; nothing may be inserted meanwhile. */
  async #removeUnread({ readers, spec }: ClickhouseTable): Promise<void> {
    if (readers.hasEarlier(this.#deps.clock.now())) return;
    readers.beginRemoval();
    await this.#cleaning.removeDays(spec.id);
  }

  async #removeExpired(): Promise<void> {
    const { store, clock } = this.#deps;
    const today = Temporal.PlainDate.from(this.#days.of(clock.now().epochMilliseconds).name);
    const ids = new Set(await knownTables(store));
    for (const { retention, ...spec } of await tableSpecs(store)) {
      if (retention === 0 || !ids.has(spec.id)) continue;
      const oldest = today.subtract({ days: retention }).toString();
      // The retention may be changed meanwhile.
      const isStill = async (db: Db) => (await retentionOf(db, spec.id)) === retention;
      await this.removeDays(spec, (day) => day < oldest, isStill);
    }
  }

  async #openTable(spec: TableSpec): Promise<ClickhouseTable> {
    const { clock, figures, store } = this.#deps;
    const learnt = await openCatalog(store, spec);
    if (!learnt) throw new TableGone(spec.name);
    const deps = {
      ...this.#deps,
      days: this.#days,
      serviceClock: clock,
      clock: systemClock,
      closing: this.#closing.signal,
      changed: () => figures.invalidate(),
      abandon: (upload: number) => this.#abandon(spec, upload),
    };
    const table = await answered(ClickhouseTable.open(spec, deps, learnt));
    this.#open.set(spec.id, table);
    return table;
  }

  /** Where it fails the records stay hidden, and the next round of maintenance deletes them. */
  async #abandon({ id: tableId }: TableSpec, upload: number): Promise<void> {
    try {
      await abandonUploads(this.#deps.store, { tableId, upload });
      const deleted = this.#cleaning.deleteUpload({ tableId, upload }).then(() => {
        this.#deps.figures.invalidate();
        return true;
      });
      // A full disk keeps the server from deleting: the caller is told of its failure meanwhile.
      if (!(await withTimeout(systemClock, ABANDON_WAIT, deleted, false))) {
        deleted.catch((error) => this.#deps.failed(error));
      }
    } catch (error) {
      this.#deps.failed(error);
    }
  }
}
