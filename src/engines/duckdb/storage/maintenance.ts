// Rounds of maintenance: fresh records that are old are sealed, small segments are merged, days past the retention of their
// table are removed.

import { ApiError } from '#contract/errors.ts';
import type { TableSpec } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Days } from '#kernel/days.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { retentionOf, tableSpecs } from './catalog.ts';
import type { LogTable } from './table.ts';

interface MaintenanceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly days: Days;
  /** Tables that are open, by their ids. */
  readonly open: ReadonlyMap<number, LogTable>;
  /** Opens a table where it is not. */
  table(spec: TableSpec): Promise<LogTable>;
  /** Reports a failure; the work is tried again in the next round. */
  failed(error: unknown): void;
}

export class Maintenance {
  readonly #deps: MaintenanceDeps;
  #round: Promise<void> | undefined;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Joins the round that is under way, if one is. */
  run(): Promise<void> {
    this.#round ??= this.#maintainAll()
      .catch((error) => this.#deps.failed(error))
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#round;
  }

  /** A failure of one table must not keep the others from their maintenance. */
  async #maintainAll(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const table of this.#deps.open.values()) {
      await maintainTable(table, now).catch((error) => this.#deps.failed(error));
    }
    await this.#removeExpired(now);
  }

  async #removeExpired(now: Temporal.Instant): Promise<void> {
    const { store, days } = this.#deps;
    const today = Temporal.PlainDate.from(days.of(now.epochMilliseconds).name);
    for (const { retention, ...spec } of await tableSpecs(store)) {
      if (retention === 0) continue;
      const oldest = today.subtract({ days: retention }).toString();
      // The retention may have been changed while fresh records were sealed.
      const isStill = async (db: Db) => (await retentionOf(db, spec.id)) === retention;
      if (await this.#hasDayBefore(spec, oldest)) await this.#removeBefore(spec, oldest, isStill);
    }
  }

  async #removeBefore(spec: TableSpec, oldest: string, isStill: (db: Db) => Promise<boolean>): Promise<void> {
    try {
      await (await this.#deps.table(spec)).removeSegments(({ day }) => day < oldest, isStill);
    } catch (error) {
      // A closed table keeps its records until it is opened again.
      if (!(error instanceof ApiError)) this.#deps.failed(error);
    }
  }

  async #hasDayBefore({ id }: TableSpec, day: string): Promise<boolean> {
    const { store, days, open } = this.#deps;
    if (open.get(id)?.hasFreshBefore(days.named(day).begins)) return true;
    const sql = 'select 1 from log_segments where table_id = ? and day < ? limit 1';
    return (await store.reader.all(sql, [id, day])).length > 0;
  }
}

async function maintainTable(table: LogTable, now: Temporal.Instant): Promise<void> {
  if (table.isDueForSealing(now.epochMilliseconds)) await table.rotate();
  await table.seal();
  while (await table.compact());
}
