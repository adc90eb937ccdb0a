// All tables on ClickHouse: each is opened with its first use. Rounds of maintenance carry out what could not be carried out at
// once, and remove days past the retention of their table.

import type { Cluster } from '#cluster/cluster.ts';
import { logStoreUnreachable } from '#contract/errors.ts';
import { type Clock, systemClock, withTimeout } from '#kernel/time/clock.ts';
import { Days } from '#kernel/time/days.ts';
import { TableGone, type TableSpec } from '#logs/log-store.ts';
import { answered } from '#logs/stores/clickhouse/server/failures.ts';
import { retentionOf, tableSpecs } from '#logs/stores/embedded/storage/catalog.ts';
import { Rounds } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import type { ArrivalNews } from './arrival-news.ts';
import { catalogNumbers, changedTables, hasTable, knownTables, openCatalog } from './catalog.ts';
import { Cleaning } from './cleaning.ts';
import { DayRemoval } from './day-removal.ts';
import type { Figures } from './figures.ts';
import { presentTables } from './laid-out-tables.ts';
import { dayNumber } from './layout.ts';
import { beginRemovals } from './removals.ts';
import { type AddShard, addShards } from './shard-growth.ts';
import type { Shards } from './shards.ts';
import { ClickhouseTable, type TableDeps } from './table.ts';
import { abandonLostUploads, abandonUpload } from './upload-catalog.ts';

interface TablesDeps extends Pick<TableDeps, 'registryOf' | 'renewedRegistry'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly zone: string;
  readonly groupFor: Temporal.Duration;
  readonly abandonFor: Temporal.Duration;
  readonly cluster: Cluster;
  readonly shards: Shards;
  readonly arrivalClock: ArrivalClock;
  readonly arrivalNews: ArrivalNews;
  readonly figures: Figures;
  /** A server that was added to the cluster of these; absent where there is no cluster. */
  readonly addedShard?: AddShard;
  failed(error: unknown): void;
}

export class Tables {
  readonly #deps: TablesDeps;
  readonly #days: Days;
  readonly #cleaning: Cleaning;
  readonly #dayRemoval: DayRemoval;
  readonly #opening = new Map<number, Promise<ClickhouseTable>>();
  readonly #open = new Map<number, ClickhouseTable>();
  readonly #closing = new AbortController();
  /** Tables that maintenance must not make again. */
  readonly #leaving = new Set<number>();
  /** Servers that have all tables with their names. */
  #complete = 0;
  /** Of the catalog: all tables that are open are as they were in it, or newer. */
  #version = 0;
  readonly #rounds = new Rounds(() => this.#maintainOnce());

  constructor(deps: TablesDeps) {
    this.#deps = deps;
    this.#days = new Days(deps.zone);
    this.#cleaning = new Cleaning(deps);
    this.#dayRemoval = new DayRemoval({
      ...deps,
      cleaning: this.#cleaning,
      readersOf: (id) => this.#open.get(id)?.readers,
    });
  }

  /** Undefined where it was not used yet. */
  opened(id: number): ClickhouseTable | undefined {
    return this.#open.get(id);
  }

  /** Takes what other nodes have changed: what was acknowledged there is seen here from now on. */
  refresh(): Promise<void> {
    return this.#deps.cluster.withOthers(() => this.#adoptChanges());
  }

  async #adoptChanges(): Promise<void> {
    const { store, shards } = this.#deps;
    const found = await catalogNumbers(store);
    if (found.shards > shards.all.length) await addShards(this.#deps, { mayAdd: false });
    // Never a smaller answer.
    if (found.shards > shards.all.length) throw logStoreUnreachable(shards.name);
    if (found.version <= this.#version) return;
    for (const id of await changedTables(store, this.#version)) {
      const opening = await this.#opening.get(id)?.catch(() => undefined);
      await answered(opening?.adopt() ?? Promise.resolve());
    }
    this.#version = Math.max(this.#version, found.version);
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
      await beginRemovals(store, { tableId: spec.id, days, arrived: await arrivalClock.next() }, isStill);
      await this.#dayRemoval.carryOut({ leads: await this.#deps.cluster.leads(), only: spec.id });
      figures.invalidate();
    });
  }

  /** Days that were hidden just now, unless runs read them: a round of maintenance removes them then. */
  async removeLeft(table: ClickhouseTable): Promise<void> {
    this.#deps.figures.invalidate();
    const leads = await this.#deps.cluster.leads();
    await table.between(() => this.#dayRemoval.carryOut({ leads, only: table.spec.id }));
    this.#deps.figures.invalidate();
  }

  /** All records of a table that exists were moved away, and `isStill` says that none came back. */
  async leave(id: number, isStill: (db: Db) => Promise<boolean>): Promise<void> {
    this.#leaving.add(id);
    try {
      await this.#rounds.ended();
      await this.drop(id, isStill);
    } finally {
      this.#leaving.delete(id);
    }
  }

  /** Deletes the records of an upload that is not committed; what fails is tried again by maintenance. */
  readonly abandon = (spec: TableSpec, upload: number): Promise<void> => this.#abandon(spec, upload);

  /** The row of the table is gone. Where it rejects, the next round of maintenance drops its records. */
  async drop(id: number, isStill?: (db: Db) => Promise<boolean>): Promise<void> {
    await this.#close(id);
    await this.#cleaning.dropTable(id, isStill);
    this.#deps.figures.invalidate();
  }

  /** Joins the round that is under way, if one is. */
  maintain(): Promise<void> {
    return this.#rounds.join();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#rounds.ended();
    for (const table of this.#open.values()) await table.close();
  }

  async #close(id: number): Promise<void> {
    const opened = this.#opening.get(id);
    this.#opening.delete(id);
    this.#open.delete(id);
    await (await opened?.catch(() => undefined))?.drop();
  }

  /** A failure of one part must not keep the others from their maintenance. */
  async #maintainOnce(): Promise<void> {
    const leads = await this.#deps.cluster.leads().catch(() => false);
    const steps = [
      () => addShards(this.#deps, { mayAdd: leads }),
      () => this.#closeDropped(),
      () => this.#cleaning.deleteUploads({ ofAllNodes: leads }),
      () => this.#dayRemoval.carryOut({ leads }),
      ...(leads ? this.#leaderSteps : []),
    ];
    for (const step of steps) {
      if (this.#closing.signal.aborted) return;
      await step().catch(this.#failed);
    }
  }

  readonly #leaderSteps = [
    () => this.#completeShards(),
    () => this.#dropRemoved(),
    () => this.#deps.cluster.withOthers(() => abandonLostUploads(this.#deps.store)),
    () => this.#removeExpired(),
  ];

  /** Tables that another node has dropped. */
  async #closeDropped(): Promise<void> {
    if (this.#opening.size === 0) return;
    const rows = await this.#deps.store.reader.all('select id from log_tables');
    const ids = new Set(rows.map(({ id }) => Number(id)));
    for (const id of [...this.#opening.keys()]) if (!ids.has(id)) await this.#close(id);
  }

  /** Tables that were made while a shard was added, or by an earlier version, which gave no names. */
  async #completeShards(): Promise<void> {
    const { shards } = this.#deps;
    const { length } = shards.all;
    if (this.#complete === length) return;
    const servers = await answered(shards.each(presentTables));
    // One that was never used is nowhere, and is made with its first use.
    const isPartly = ({ id }: TableSpec) =>
      servers.some((tables) => tables.has(id)) && !servers.every((tables) => tables.get(id));
    for (const spec of (await this.#specs()).filter(isPartly)) await this.open(spec);
    this.#complete = length;
  }

  async #dropRemoved(): Promise<void> {
    for (const id of await this.#cleaning.dropped()) await this.drop(id);
  }

  async #removeExpired(): Promise<void> {
    const { store, clock } = this.#deps;
    const today = Temporal.PlainDate.from(this.#days.of(clock.now().epochMilliseconds).name);
    const ids = new Set(await knownTables(store));
    for (const { retention, ...spec } of await this.#specs()) {
      if (retention === 0 || !ids.has(spec.id)) continue;
      const oldest = today.subtract({ days: retention }).toString();
      // The retention may be changed meanwhile.
      const isStill = async (db: Db) => (await retentionOf(db, spec.id)) === retention;
      await this.removeDays(spec, (day) => day < oldest, isStill);
    }
  }

  async #specs() {
    return (await tableSpecs(this.#deps.store)).filter(({ id }) => !this.#leaving.has(id));
  }

  async #openTable(spec: TableSpec): Promise<ClickhouseTable> {
    const { clock, figures, store } = this.#deps;
    const catalog = await openCatalog(store, spec);
    if (!catalog) throw new TableGone(spec.name);
    const deps = {
      ...this.#deps,
      days: this.#days,
      serviceClock: clock,
      clock: systemClock,
      closing: this.#closing.signal,
      changed: () => figures.invalidate(),
      abandon: (upload: number) => this.#abandon(spec, upload),
    };
    const table = await answered(ClickhouseTable.open(spec, deps, catalog));
    if (!(await hasTable(store, spec.id))) {
      // Another node has dropped it, maybe before it was made here.
      await this.#cleaning.dropTable(spec.id);
      throw new TableGone(spec.name);
    }
    this.#open.set(spec.id, table);
    return table;
  }

  /** Where it fails the records stay hidden, and the next round of maintenance deletes them. */
  async #abandon({ id: tableId }: TableSpec, upload: number): Promise<void> {
    try {
      await abandonUpload(this.#deps.store, { tableId, upload });
      const deleted = this.#cleaning.deleteUpload({ tableId, upload, node: this.#deps.cluster.self }).then(() => {
        this.#deps.figures.invalidate();
        return true;
      });
      // A full disk keeps the server from deleting: the caller is told of its failure meanwhile.
      if (!(await withTimeout(systemClock, this.#deps.abandonFor, deleted, false))) deleted.catch(this.#failed);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What is cut off by the end of the service is done after its next start. */
  readonly #failed = (error: unknown): void => {
    if (!this.#closing.signal.aborted) this.#deps.failed(error);
  };
}
