// Figures of tables, from what ClickHouse knows of its parts: nothing is counted for them but records that are hidden. They are
// read again at most once a second, and after every change of this process.

import type { Clock } from '#kernel/time/clock.ts';
import type { DayStats, TableStats } from '#logs/log-store.ts';
import type { Store } from '#store/store.ts';
import { type HiddenRows, hiddenRows } from './catalog.ts';
import { dayName, tableName } from './layout.ts';
import type { Shards } from './shards.ts';
import { hiddenCondition } from './visibility.ts';

interface FiguresDeps {
  readonly shards: Shards;
  readonly store: Store;
  readonly clock: Clock;
}

/** By the name of the day. */
type TableDays = ReadonlyMap<string, DayStats>;

const MAX_AGE_MS = 1000;

const PARTS = `select table, partition, sum(rows), sum(data_compressed_bytes), sum(bytes_on_disk - data_compressed_bytes)
  from system.parts where active and database = currentDatabase() and match(table, '^t_[0-9]+$') group by table, partition`;

export class Figures {
  readonly #deps: FiguresDeps;
  /** By the name of the table. */
  #parts: Promise<ReadonlyMap<string, TableDays>> | undefined;
  #readAt = 0;
  /** First and last times by table, with what they were read for. */
  readonly #times = new Map<number, { readonly key: string; readonly range: TimesOfTable }>();

  constructor(deps: FiguresDeps) {
    this.#deps = deps;
  }

  /** Something was written or removed. */
  invalidate(): void {
    this.#parts = undefined;
  }

  /** Of tables that exist. */
  async stats(ids: readonly number[]): Promise<Map<number, TableStats>> {
    const hidden = await hiddenRows(this.#deps.store, ids);
    const stats = new Map<number, TableStats>();
    for (const id of ids) stats.set(id, await this.#statsOf(id, hidden.get(id) ?? NONE_HIDDEN));
    return stats;
  }

  /** Of one table by its days, those without records left out. */
  async days(id: number): Promise<TableDays> {
    const hidden = (await hiddenRows(this.#deps.store, [id])).get(id) ?? NONE_HIDDEN;
    return await this.#visibleDays(id, hidden);
  }

  async totalBytes(): Promise<number> {
    const tables = [...(await this.#allParts()).values()].flatMap((days) => [...days.values()]);
    return tables.reduce((total, { dataBytes, indexBytes }) => total + dataBytes + indexBytes, 0);
  }

  async #statsOf(id: number, hidden: HiddenRows): Promise<TableStats> {
    const days = await this.#visibleDays(id, hidden);
    const total = (figure: keyof DayStats) => [...days.values()].reduce((sum, day) => sum + day[figure], 0);
    const rows = total('rows');
    const times = rows === 0 ? NO_TIMES : await this.#timesOf(id, days, hidden);
    return { rows, dataBytes: total('dataBytes'), indexBytes: total('indexBytes'), ...times };
  }

  async #visibleDays(id: number, hidden: HiddenRows): Promise<TableDays> {
    const days = (await this.#allParts()).get(tableName(id)) ?? new Map<string, DayStats>();
    const { text, params } = hiddenCondition(hidden);
    if ((hidden.uploads.length === 0 && hidden.removals.length === 0) || days.size === 0) return days;
    const counted = `select _day, count() from ${tableName(id)} where ${text} group by _day`;
    const hiddenByDay = new Map<string, number>();
    for (const [day, rows] of await this.#deps.shards.rows(counted, { params })) {
      const name = dayName(Number(day));
      hiddenByDay.set(name, (hiddenByDay.get(name) ?? 0) + Number(rows));
    }
    const visible = [...days].map(
      ([day, stats]) => [day, { ...stats, rows: stats.rows - (hiddenByDay.get(day) ?? 0) }] as const,
    );
    return new Map(visible.filter(([, { rows }]) => rows > 0));
  }

  /** The order of the table has them at the ends of its parts. */
  async #timesOf(id: number, days: TableDays, hidden: HiddenRows): Promise<TimesOfTable> {
    const key = JSON.stringify([[...days].map(([day, { rows }]) => [day, rows]), hidden]);
    const known = this.#times.get(id);
    if (known?.key === key) return known.range;
    const { text, params } = hiddenCondition(hidden);
    const ends = ['asc', 'desc'].map(
      (order) => `(select _time from ${tableName(id)} where not ${text} order by _time ${order} limit 1)`,
    );
    const found = (await this.#deps.shards.rows(`select ${ends.join(', ')}`, { params })).filter(
      ([first]) => first !== null,
    );
    const range = {
      minTime: Math.min(...found.map(([first]) => Number(first))),
      maxTime: Math.max(...found.map(([, last]) => Number(last))),
    };
    this.#times.set(id, { key, range });
    return range;
  }

  #allParts(): Promise<ReadonlyMap<string, TableDays>> {
    const now = this.#deps.clock.now().epochMilliseconds;
    if (!this.#parts || now - this.#readAt > MAX_AGE_MS) {
      this.#readAt = now;
      const reading = this.#read();
      this.#parts = reading;
      reading.catch(() => {
        if (this.#parts === reading) this.#parts = undefined;
      });
    }
    return this.#parts;
  }

  async #read(): Promise<ReadonlyMap<string, TableDays>> {
    const tables = new Map<string, Map<string, DayStats>>();
    for (const [table, partition, rows, dataBytes, indexBytes] of await this.#deps.shards.rows(PARTS)) {
      const days = tables.get(String(table)) ?? new Map<string, DayStats>();
      tables.set(String(table), days);
      const day = dayName(Number(partition));
      const before = days.get(day) ?? { rows: 0, dataBytes: 0, indexBytes: 0 };
      days.set(day, {
        rows: before.rows + Number(rows),
        dataBytes: before.dataBytes + Number(dataBytes),
        indexBytes: before.indexBytes + Number(indexBytes),
      });
    }
    return tables;
  }
}

type TimesOfTable = Pick<TableStats, 'minTime' | 'maxTime'>;

const NO_TIMES: TimesOfTable = { minTime: undefined, maxTime: undefined };
const NONE_HIDDEN: HiddenRows = { lastUpload: 0, uploads: [], removals: [], carriedOut: new Map() };
