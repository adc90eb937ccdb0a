// Tables on ClickHouse that leave for another place, or come from one, day by day. Records that come are an upload until their day is
// switched; records that leave are hidden by the unit that switches their day, and removed behind it.

import type { NamelessFile } from '#files/nameless.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { Days } from '#kernel/time/days.ts';
import { type Alongside, TableGone, type TableSpec } from '#logs/log-store.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { fetchRows } from './reads/fetched-rows.ts';
import type { StatementLimits } from './reads/shard-statements.ts';
import { allOf, selectList } from './reads/stored-rows.ts';
import { answered } from './server/failures.ts';
import type { ArrivalClock } from './storage/arrival-clock.ts';
import { adoptTable, hiddenRows, nextIdOf } from './storage/catalog.ts';
import type { Figures } from './storage/figures.ts';
import { dayNumber, tableName } from './storage/layout.ts';
import { readOffsets, writeOffsets } from './storage/offsets.ts';
import { hideDay, removedUpTo } from './storage/removals.ts';
import type { RowFacts } from './storage/rows.ts';
import type { Shards } from './storage/shards.ts';
import type { ClickhouseTable } from './storage/table.ts';
import type { Tables } from './storage/tables.ts';
import { beginUpload, forget, requireOpen } from './storage/upload-catalog.ts';
import { type Condition, visibleCondition } from './storage/visibility.ts';

interface MovingTablesDeps {
  readonly store: Store;
  readonly shards: Shards;
  readonly tables: Tables;
  readonly figures: Figures;
  readonly arrivalClock: ArrivalClock;
  readonly zone: string;
  /** This one. */
  readonly node: string;
  readonly limits: StatementLimits;
  now(): Temporal.Instant;
}

/** Of records, to compare copies: their number, and their ids and times with exclusive or. */
export interface RecordSums {
  readonly rows: number;
  readonly ids: bigint;
  readonly times: bigint;
}

/** The visible records of a day at one moment. */
export interface DayOfTable extends RecordSums {
  readonly table: ClickhouseTable;
  readonly day: string;
  /** The last arrival among them. */
  readonly until: number;
  readonly where: Condition;
  /** As they were then: what is learnt later has no values in these records. */
  readonly columns: Columns;
  /** Changes with every removal of days. */
  readonly hides: number;
  /** The arrival up to which the day was removed before. */
  readonly removed: number | undefined;
}

/** The day was removed while it was copied. */
class DayRemoved extends Error {}

/** Rows that are fetched together. */
const MAX_FETCHED_ROWS = 2_000_000;
const MAX_SLICES = 288;

export class MovingTables {
  readonly #deps: MovingTablesDeps;
  readonly #days: Days;

  constructor(deps: MovingTablesDeps) {
    this.#deps = deps;
    this.#days = new Days(deps.zone);
  }

  readonly table = (spec: TableSpec): Promise<ClickhouseTable> => this.#deps.tables.open(spec);

  /** Ids that were given are below it. */
  nextId(spec: TableSpec): Promise<number> {
    return this.#deps.store.read((db) => nextIdOf(db, spec));
  }

  /** Ids go on from `nextId`, and sources where they were read up to. */
  async adopt(
    spec: TableSpec,
    from: { readonly nextId: number; readonly offsets: ReadonlyMap<string, number> },
    alongside: Alongside,
  ): Promise<void> {
    const { store } = this.#deps;
    const table = await this.table(spec);
    await table.match();
    const known = await readOffsets(store, spec.id);
    const offsets = [...from.offsets]
      .filter(([source, position]) => position > (known.get(source) ?? -1))
      .map(([source, position]) => ({ source, position }));
    await store.write(async (unit) => {
      await adoptTable(unit, spec, from.nextId);
      await writeOffsets(unit, spec.id, offsets);
      await alongside(unit);
    });
    await table.renewIds();
  }

  /** Days with visible records, newest first. */
  async days(spec: TableSpec): Promise<readonly string[]> {
    const { figures } = this.#deps;
    figures.invalidate();
    return [...(await answered(figures.days(spec.id))).keys()].sort().reverse();
  }

  /** Begins an upload, and gives its number. */
  begin(spec: TableSpec): Promise<number> {
    return beginUpload(this.#deps.store, spec, this.#deps.node);
  }

  async insert(
    spec: TableSpec,
    { day, upload }: { readonly day: string; readonly upload: number },
    encoded: (facts: RowFacts) => SlicedWork<Buffer>,
  ): Promise<void> {
    await (await this.table(spec)).insertCopied(day, upload, encoded);
  }

  /** Of all records of an upload. */
  async uploaded(spec: TableSpec, upload: number): Promise<RecordSums> {
    return await this.#sums(spec, { text: '_upload = {upload:UInt64}', params: { upload } });
  }

  /** Shows the records of an upload, in the unit that ends them elsewhere. */
  async show(unit: Db, { id }: TableSpec, upload: number): Promise<void> {
    await requireOpen(unit, { tableId: id, upload });
    await forget(unit, { tableId: id, upload });
  }

  abandon(spec: TableSpec, upload: number): Promise<void> {
    return this.#deps.tables.abandon(spec, upload);
  }

  /** Something was shown or hidden. */
  changed(): void {
    this.#deps.figures.invalidate();
  }

  /** Nothing may be on its way into the table. */
  async day(spec: TableSpec, day: string): Promise<DayOfTable> {
    const { store, arrivalClock } = this.#deps;
    const table = await this.table(spec);
    await table.match();
    const columns: Columns = spec.layout === 'row' ? new Map() : new Map(table.columns);
    const { hides } = table.readers;
    const removed = await store.read((db) => removedUpTo(db, { tableId: spec.id, day: dayNumber(day) }));
    const hidden = (await hiddenRows(store, [spec.id])).get(spec.id);
    if (!hidden) throw new TableGone(spec.name);
    const until = await arrivalClock.next();
    const visible = visibleCondition(hidden, until);
    const params = { ...visible.params, movedDay: dayNumber(day) };
    const where = { text: `_day = {movedDay:UInt32} and ${visible.text}`, params };
    return { table, day, until, hides, removed, where, columns, ...(await this.#sums(spec, where)) };
  }

  /** The records of a day in the order of their times, in parts that follow each other: a file for each shard. */
  async *files(
    { table, day, where, rows, columns }: DayOfTable,
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly NamelessFile[]> {
    const { begins, ends } = this.#days.named(day);
    const slices = Math.min(MAX_SLICES, Math.ceil(rows / MAX_FETCHED_ROWS));
    const step = Math.ceil((ends - begins) / slices);
    const { limits, shards } = this.#deps;
    for (let from = begins; from < ends; from += step) {
      // The day selects already: one that was stored under another zone begins and ends elsewhere.
      const after = from > begins ? ['_time >= {from:Int64}'] : [];
      const before = from + step < ends ? ['_time < {to:Int64}'] : [];
      const condition = [where.text, ...after, ...before].join(' and ');
      const select = `select ${selectList(columns, allOf(columns))} from ${tableName(table.spec.id)}`;
      const files = await fetchRows(shards, `${select} where ${condition} order by _time, _id`, {
        folder,
        signal,
        settings: limits.settings,
        deadline: limits.deadline,
        params: { ...where.params, from, to: from + step },
        take() {},
      });
      try {
        yield files;
      } finally {
        for (const file of files) await file[Symbol.asyncDispose]();
      }
    }
  }

  /** Hides a day in a unit that shows it elsewhere. False where days were removed since it was looked at: nothing is written then. */
  async leave(
    { table, day, until, hides, removed }: DayOfTable,
    switched: (hide: Alongside) => Promise<void>,
  ): Promise<boolean> {
    return await table.between(async () => {
      if (table.readers.hides !== hides) return false;
      const { dialect } = this.#deps.store;
      const removal = { tableId: table.spec.id, day: dayNumber(day), arrived: until };
      const hide = async (unit: Db) => {
        if ((await removedUpTo(unit, removal)) !== removed) throw new DayRemoved();
        await hideDay(unit, dialect, removal);
      };
      try {
        await switched(hide);
      } catch (error) {
        if (error instanceof DayRemoved) return false;
        throw error;
      }
      table.readers.hide();
      return true;
    });
  }

  /** Removes days that are hidden, unless runs read them: that is left to maintenance. */
  async removeLeft(spec: TableSpec): Promise<void> {
    await this.#deps.tables.removeLeft(await this.table(spec));
  }

  /** All records are elsewhere: runs that begin from now on do not read the table. */
  closeReads({ id }: TableSpec): void {
    this.#deps.tables.opened(id)?.readers.hide();
  }

  /** Whether runs that began before may read it. */
  isRead({ id }: TableSpec): boolean {
    return this.#deps.tables.opened(id)?.readers.hasEarlier(this.#deps.now()) ?? false;
  }

  /** Drops what is left of a table whose records are all elsewhere, if `isStill` says so. */
  async end({ id }: TableSpec, isStill: (db: Db) => Promise<boolean>): Promise<void> {
    this.#deps.tables.opened(id)?.readers.beginRemoval();
    await this.#deps.tables.leave(id, isStill);
  }

  async #sums({ id }: TableSpec, { text, params }: Condition): Promise<RecordSums> {
    const { shards, limits } = this.#deps;
    const sums = 'toString(count()), toString(groupBitXor(_id)), toString(groupBitXor(_time))';
    const statement = `select ${sums} from ${tableName(id)} where ${text}`;
    const found = await answered(shards.rows(statement, { ...limits, params }));
    return found.reduce<RecordSums>(
      (total, [rows, ids, times]) => ({
        rows: total.rows + Number(rows),
        ids: total.ids ^ BigInt(String(ids)),
        times: total.times ^ BigInt(String(times)),
      }),
      { rows: 0, ids: 0n, times: 0n },
    );
  }
}
