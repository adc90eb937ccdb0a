// Rounds of maintenance: fresh records that are old are sealed, days past the retention of their table are removed, segments are
// merged and get their filters. That may take long: before each turn of it, whatever is due by then is sealed and removed.

import { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import type { TableSpec } from '#logs/log-store.ts';
import type { MergeInstances } from '#logs/runs/duckdb/merge-instances.ts';
import { Rounds } from '#runtime/periodic.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { daysToRewrite, presentFormSince, retentionOf, tableSpecs, tablesToDensify } from './catalog.ts';
import type { CompactionRound } from './compaction.ts';
import type { LogTable } from './table.ts';

interface MaintenanceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly days: Days;
  /** Tables that are open, by their ids. */
  readonly open: ReadonlyMap<number, LogTable>;
  /** Resting days that are older become dense; 0 for never. */
  readonly denseAfterDays: number;
  /** Resting days of earlier forms are rewritten so long after the first start that knew the present one; 0 for never. */
  readonly rewriteAfterDays: number;
  /** For merges. */
  readonly instances: MergeInstances;
  /** A day has the present form. */
  onRewritten(): void;
  /** Opens a table where it is not. */
  table(spec: TableSpec): Promise<LogTable>;
  /** Reports a failure; the work is tried again in the next round. */
  failed(error: unknown): void;
}

/** Tables that are opened before each turn of merges, because they have days that are to be written again. */
const MAX_OPENED = 8;

export class Maintenance {
  readonly #deps: MaintenanceDeps;
  readonly #rounds = new Rounds(() => this.#runRound());
  readonly #closing = new AbortController();
  /** By tables, as they were last counted. */
  #formerDays: ReadonlyMap<number, number> = new Map();
  #presentFormSince: Temporal.Instant | undefined;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Days of tables with segments of earlier forms. */
  get daysToRewrite(): number {
    return this.#formerDays.values().reduce((sum, days) => sum + days, 0);
  }

  /** Joins the round that is under way, if one is. */
  run(): Promise<void> {
    return this.#rounds.join();
  }

  /** Resolves when no round is under way. A merge that runs and a filter that is being made are given up. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#deps.instances.interrupt();
    await this.#rounds.ended();
  }

  async #runRound(): Promise<void> {
    try {
      await this.#maintainAll();
    } catch (error) {
      this.#failed(error);
    }
  }

  async #maintainAll(): Promise<void> {
    const tried = new Set<number>();
    try {
      do await this.#sealAndExpire();
      while (!this.#closing.signal.aborted && ((await this.#mergeOnce(tried)) || (await this.#makeFilters())));
    } finally {
      await this.#deps.instances.end();
    }
  }

  async #sealAndExpire(): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#eachOpen((table) => sealDue(table, now));
    await this.#removeExpired();
  }

  /** At most one merge of each table. Resolves to whether there may be more. `tried` are tables that this round opened. */
  async #mergeOnce(tried: Set<number>): Promise<boolean> {
    const round = await this.#compactionRound();
    const hasOpened = await this.#openToRewrite(round, tried);
    let hasMerged = false;
    await this.#eachOpen(async (table) => {
      if (await table.compaction.run(round)) hasMerged = true;
    });
    return hasMerged || hasOpened;
  }

  /** At most one of each table, behind all merges: few filters are made for segments that go at once. */
  async #makeFilters(): Promise<boolean> {
    let hasMade = false;
    await this.#eachOpen(async (table) => {
      if (await table.filters.makeNext(this.#closing.signal)) hasMade = true;
    });
    return hasMade;
  }

  /** A failure of one table must not keep the others from their maintenance. */
  async #eachOpen(work: (table: LogTable) => Promise<void>): Promise<void> {
    for (const table of this.#deps.open.values()) {
      if (this.#closing.signal.aborted) return;
      await work(table).catch((error) => this.#failed(error));
    }
  }

  /** What the closing interrupts is no failure. */
  #failed(error: unknown): void {
    if (!this.#closing.signal.aborted) this.#deps.failed(error);
  }

  async #compactionRound(): Promise<CompactionRound> {
    const { denseAfterDays: days, instances, onRewritten } = this.#deps;
    const denseBefore = days === 0 ? undefined : this.#today.subtract({ days }).toString();
    const takesForm = await this.#takesForm();
    return { denseBefore, takesForm, onRewritten, instance: (isSecret) => instances.borrow(isSecret) };
  }

  async #takesForm(): Promise<boolean> {
    const { store, clock, rewriteAfterDays: days } = this.#deps;
    this.#formerDays = await daysToRewrite(store);
    if (days === 0 || this.#formerDays.size === 0) return false;
    const now = clock.now();
    this.#presentFormSince ??= await presentFormSince(store, now);
    return Temporal.Instant.compare(this.#presentFormSince.add({ hours: 24 * days }), now) <= 0;
  }

  get #today(): Temporal.PlainDate {
    const { clock, days } = this.#deps;
    return Temporal.PlainDate.from(days.of(clock.now().epochMilliseconds).name);
  }

  /** Each table once in a round. Resolves to whether there were any. */
  async #openToRewrite({ denseBefore, takesForm }: CompactionRound, tried: Set<number>): Promise<boolean> {
    const { store, open } = this.#deps;
    const toDensify = denseBefore === undefined ? NO_TABLES : await tablesToDensify(store, denseBefore);
    const ids = toDensify.union(takesForm ? new Set(this.#formerDays.keys()) : NO_TABLES).difference(tried);
    const closed = [...ids].filter((id) => !open.has(id)).slice(0, MAX_OPENED);
    if (closed.length === 0) return false;
    for (const spec of await tableSpecs(store)) if (closed.includes(spec.id)) await this.#opened(spec);
    for (const id of closed) tried.add(id);
    return true;
  }

  async #removeExpired(): Promise<void> {
    const today = this.#today;
    for (const { retention, ...spec } of await tableSpecs(this.#deps.store)) {
      if (retention === 0) continue;
      const oldest = today.subtract({ days: retention }).toString();
      // The retention may have been changed while fresh records were sealed.
      const isStill = async (db: Db) => (await retentionOf(db, spec.id)) === retention;
      if (await this.#hasDayBefore(spec, oldest)) await this.#removeBefore(spec, oldest, isStill);
    }
  }

  async #removeBefore(spec: TableSpec, oldest: string, isStill: (db: Db) => Promise<boolean>): Promise<void> {
    const table = await this.#opened(spec);
    await table?.removeSegments(({ day }) => day < oldest, isStill).catch((error) => this.#unlessRefused(error));
  }

  async #opened(spec: TableSpec): Promise<LogTable | undefined> {
    return await this.#deps.table(spec).catch((error) => this.#unlessRefused(error));
  }

  /** A closed table keeps its records until it is opened again. */
  #unlessRefused(error: unknown): undefined {
    if (!(error instanceof ApiError)) this.#failed(error);
  }

  async #hasDayBefore({ id }: TableSpec, day: string): Promise<boolean> {
    const { store, days, open } = this.#deps;
    if (open.get(id)?.hasFreshBefore(days.named(day).begins)) return true;
    const sql = 'select 1 from log_segments where table_id = ? and day < ? limit 1';
    return (await store.reader.all(sql, [id, day])).length > 0;
  }
}

const NO_TABLES: ReadonlySet<number> = new Set();

async function sealDue(table: LogTable, now: Temporal.Instant): Promise<void> {
  if (table.isDueForSealing(now.epochMilliseconds)) await table.rotate();
  await table.seal();
}
