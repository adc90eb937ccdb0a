// One table: its fresh records and its sealed segments.
//
//   append ──► journal N + hot table N ──rotate──► sealing ──► segments, catalog switch ──► journal and hot table N gone
//
// A generation is a journal with its hot table. The newest takes appends; when it is full a new one begins and the old
// one is sealed: its records are copied to a Parquet file per day, the catalog is switched in one transaction, and only
// then do journal and hot table go. Whoever reads takes a snapshot, a list of segments and hot tables that stays whole:
// what is replaced while someone reads it is removed when the last reader has left.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogSwitch, Segment, TableCatalog } from '#engines/catalog.ts';
import { type LogRecord, TableGone, type TableSpec, type TableStats } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Days } from '#kernel/days.ts';
import { ColumnRegistry, type ColumnType, RESERVED } from './columns.ts';
import { type BatchFacts, Generation } from './generation.ts';
import type { Duck } from './instance.ts';
import { type Frame, journalsIn, removeJournal } from './journal.ts';
import { columnarLine, rowLine } from './lines.ts';
import { Readers } from './readers.ts';
import { compacted, dayRanges, sealed } from './rewrite.ts';
import { sweepFolder } from './sweep.ts';

/** A generation is sealed when it has so many records, or is so old. */
export interface Sealing {
  readonly rows: number;
  readonly after: Temporal.Duration;
}

export interface TableParts {
  readonly duck: Duck;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly days: Days;
  readonly folder: string;
  /** Writes a change of the catalog; false when the table is gone. */
  switchCatalog(change: CatalogSwitch): Promise<boolean>;
  /** Told what went wrong in the background; it is tried again. */
  failed(error: unknown): void;
}

/** What a reader holds: nothing in it is removed before it is disposed of. */
export interface Snapshot extends Disposable {
  readonly segments: readonly Segment[];
  /** Names of hot tables, as SQL. */
  readonly hotTables: readonly string[];
  readonly folder: string;
}

export class LogTable {
  readonly spec: TableSpec;
  readonly #parts: TableParts;
  readonly #registry: ColumnRegistry;
  readonly #readers = new Readers();
  #segments: readonly Segment[];
  /** Oldest first; the last one takes appends, those before it are being sealed. */
  #generations: readonly Generation[] = [];
  #lastId: number;
  #isDropped = false;
  #rotating: Promise<void> | undefined;
  /** Sealing, compacting and removing days of one table never overlap. */
  #work: Promise<unknown> = Promise.resolve();

  private constructor(spec: TableSpec, parts: TableParts, catalog: TableCatalog) {
    this.spec = spec;
    this.#parts = parts;
    // Written by us, from the closed set of types.
    this.#registry = new ColumnRegistry(catalog.columns as [string, ColumnType][]);
    this.#segments = catalog.segments;
    this.#lastId = catalog.lastId;
  }

  /** Reads back what a former process left: journals that were not sealed, files that are in no catalog. */
  static async open(spec: TableSpec, parts: TableParts, catalog: TableCatalog): Promise<LogTable> {
    const table = new LogTable(spec, parts, catalog);
    await mkdir(parts.folder, { recursive: true, mode: 0o700 });
    await sweepFolder(parts.folder, catalog.segments);
    const journals = await journalsIn(parts.folder);
    for (const number of journals) {
      if (number < catalog.journalFrom) await removeJournal(parts.folder, number);
      else await table.#begin(number);
    }
    if (table.#generations.length === 0) await table.#begin(catalog.journalFrom);
    return table;
  }

  get stats(): TableStats {
    const parts = [...this.#segments, ...this.#generations.filter(({ rows }) => rows > 0)];
    const sum = (of: readonly number[]) => of.reduce((total, part) => total + part, 0);
    return {
      rows: sum(parts.map(({ rows }) => rows)),
      dataBytes: sum([...this.#segments, ...this.#generations].map(({ bytes }) => bytes)),
      indexBytes: 0,
      minTime: parts.length === 0 ? undefined : Math.min(...parts.map(({ minTime }) => minTime)),
      maxTime: parts.length === 0 ? undefined : Math.max(...parts.map(({ maxTime }) => maxTime)),
    };
  }

  get freshBytes(): number {
    return this.#generations.reduce((total, { bytes }) => total + bytes, 0);
  }

  hasFreshBefore(time: number): boolean {
    return this.#generations.some(({ rows, minTime }) => rows > 0 && minTime < time);
  }

  /** Records do not stay fresh for ever, however few there are. */
  isDueForSealing(now: number): boolean {
    const newest = this.#generations.at(-1);
    return (
      newest !== undefined && newest.rows > 0 && now - newest.begun >= this.#parts.sealing.after.total('milliseconds')
    );
  }

  /** Resolves when the records are durable and visible. */
  async append(records: readonly LogRecord[]): Promise<void> {
    const generation = this.#generations.at(-1);
    if (this.#isDropped || !generation) throw new TableGone(this.spec.name);
    if (records.length === 0) return;
    const firstId = this.#lastId + 1;
    this.#lastId += records.length;
    const text = records.map((record, index) => this.#line(record, firstId + index)).join('');
    await generation.append({ firstId, text }, factsOf(records, this.#parts.days), this.#registry.columns);
    if (generation === this.#generations.at(-1) && generation.rows >= this.#parts.sealing.rows) {
      await this.rotate();
      this.seal().catch((error) => this.#parts.failed(error));
    }
  }

  snapshot(): Snapshot {
    const reader = this.#readers.enter();
    return {
      segments: this.#segments,
      hotTables: this.#generations.map(({ hot }) => hot.name),
      folder: this.#parts.folder,
      [Symbol.dispose]: () => reader[Symbol.dispose](),
    };
  }

  /** Begins a new generation; the full one is to be sealed. */
  rotate(): Promise<void> {
    this.#rotating ??= this.#rotate().finally(() => {
      this.#rotating = undefined;
    });
    return this.#rotating;
  }

  /** Seals every generation but the newest. One that could not be sealed stays readable and is tried again next time. */
  async seal(): Promise<void> {
    for (const generation of this.#generations.slice(0, -1)) await this.#exclusively(() => this.#seal(generation));
  }

  /** Seals everything appended so far. */
  async flush(): Promise<void> {
    await this.rotate();
    await this.seal();
  }

  /** Merges small segments of a day. Resolves to whether there was anything to merge. */
  compact(): Promise<boolean> {
    return this.#exclusively(async () => {
      const merge = await compacted(this.#segments, { ...this.#parts, spec: this.spec });
      if (!merge) return false;
      await this.#switch({ added: [merge.into], removed: merge.from });
      return true;
    });
  }

  /** Removes the segments of whole days. Fresh records are sealed first. */
  async removeSegments(isMeant: (segment: Segment) => boolean): Promise<void> {
    await this.flush();
    await this.#exclusively(async () => {
      const removed = this.#segments.filter(isMeant);
      if (removed.length > 0) await this.#switch({ added: [], removed });
    });
  }

  /** The metadata is gone: removes everything once nobody reads it. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.close();
    this.#readers.whenGone(() => void this.#remove().catch((error) => this.#parts.failed(error)));
  }

  async close(): Promise<void> {
    await this.#rotating;
    await this.#work;
    for (const generation of this.#generations) await generation.settled();
  }

  async #remove(): Promise<void> {
    for (const { hot } of this.#generations) await hot.drop();
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  async #rotate(): Promise<void> {
    const full = this.#generations.at(-1);
    if (full && full.rows > 0 && !this.#isDropped) await this.#begin(full.number + 1);
  }

  #line(record: LogRecord, id: number): string {
    return this.spec.layout === 'row' ? rowLine(record, id) : columnarLine(record, id, this.#registry);
  }

  async #begin(number: number): Promise<void> {
    const { duck, folder, clock } = this.#parts;
    const generation = await Generation.open(this.spec, number, {
      duck,
      folder,
      begun: clock.now().epochMilliseconds,
      columns: () => this.#registry.columns,
      examine: (frame) => this.#examine(frame),
    });
    this.#generations = [...this.#generations, generation];
  }

  /** A frame that a former process wrote teaches the same columns again, in the same order. */
  #examine({ text, firstId }: Frame): BatchFacts {
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    this.#lastId = Math.max(this.#lastId, firstId + records.length - 1);
    if (this.spec.layout === 'columnar') {
      for (const record of records) {
        for (const name of RESERVED) if (name !== '_time') delete record[name];
        const { _time, ...fields } = record;
        this.#registry.misfits(fields);
      }
    }
    return factsOf(
      records.map(({ _time }) => ({ time: _time })),
      this.#parts.days,
    );
  }

  async #seal(generation: Generation): Promise<void> {
    await generation.settled();
    if (this.#isDropped || !this.#generations.includes(generation)) return;
    const added = await sealed(generation, {
      ...this.#parts,
      spec: this.spec,
      ranges: dayRanges(generation.days, this.#parts.days),
    });
    const columns = [...this.#registry.columns];
    const lastId = Math.max(...added.map(({ maxId }) => maxId));
    const isWritten = await this.#parts.switchCatalog({
      added,
      removed: [],
      columns,
      lastId,
      journalFrom: generation.number + 1,
    });
    if (!isWritten) return;
    this.#segments = [...this.#segments, ...added];
    this.#generations = this.#generations.filter((one) => one !== generation);
    this.#readers.whenGone(() => void generation.hot.drop().catch((error) => this.#parts.failed(error)));
    await removeJournal(this.#parts.folder, generation.number);
  }

  async #switch(change: { added: readonly Segment[]; removed: readonly Segment[] }): Promise<void> {
    if (!(await this.#parts.switchCatalog(change))) return;
    const gone = new Set(change.removed);
    this.#segments = [...this.#segments.filter((segment) => !gone.has(segment)), ...change.added];
    this.#readers.whenGone(() => {
      for (const { file } of change.removed) void rm(join(this.#parts.folder, file), { force: true });
    });
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}

function factsOf(records: readonly { time: number }[], days: Days): BatchFacts {
  let minTime = Number.POSITIVE_INFINITY;
  let maxTime = Number.NEGATIVE_INFINITY;
  const names = new Set<string>();
  for (const { time } of records) {
    minTime = Math.min(minTime, time);
    maxTime = Math.max(maxTime, time);
    names.add(days.of(time).name);
  }
  return { rows: records.length, minTime, maxTime, days: names };
}
