// One table: its fresh records and its sealed segments.
//
//   append ──► journal N + hot table N ──rotate──► sealing ──► segments, catalog switch ──► journal and hot table N gone
//
// A generation is a journal with its hot table. The newest takes appends; when it is full a new one begins and the old
// one is sealed: its records are copied to a Parquet file per day, the catalog is switched in one transaction, and only
// then do journal and hot table go. A reader takes a snapshot, a list of segments and hot tables that stays whole: files
// that are replaced meanwhile are removed when the last reader has left. A journal that is corrupt when it is read back
// stays as it is: records go on into a new one, and reads are refused while its records are missing.

import { rm } from 'node:fs/promises';
import type { ApiError } from '#contract/errors.ts';
import { makeFolder } from '#files/durable.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import {
  type Alongside,
  type DayStats,
  type FileColumns,
  type RecordBatch,
  type SourceOffset,
  TableGone,
  type TableSpec,
  type TableStats,
} from '#logs/log-store.ts';
import type { SealInstance } from '#logs/runs/duckdb/seal-instance.ts';
import { Arrivals } from '#logs/stores/shared/arrivals.ts';
import { ColumnRegistry, type LearntColumns, NOTHING_LEARNT, type StoredColumns } from '#logs/stores/shared/columns.ts';
import type { Leaves } from '#logs/stores/shared/leaves.ts';
import { furthest } from '#logs/stores/shared/source-offsets.ts';
import { Rounds } from '#runtime/periodic.ts';
import { Serial } from '#runtime/serial.ts';
import { Batches, countOf } from './batch.ts';
import { type CatalogSwitch, NO_COLUMNS, type Segment, type TableCatalog } from './catalog.ts';
import { Compaction } from './compaction.ts';
import type { FilterCache } from './filter-cache.ts';
import type { Generation } from './generation.ts';
import { Generations } from './generations.ts';
import type { InsertBacklog } from './insert-backlog.ts';
import { removeJournal } from './journal.ts';
import type { Frame } from './journal-frames.ts';
import { MovingSegments } from './moving-segments.ts';
import { RecordIds } from './record-ids.ts';
import { isFullOfLong } from './record-sizes.ts';
import { type RecoveredFrame, RecoveredLines } from './recovered-lines.ts';
import { dayRanges, seal } from './rewrite.ts';
import { SealedSegments } from './sealed-segments.ts';
import { type SegmentStorage, sealingStorage } from './segment-storage.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { TableStaging } from './staging.ts';
import { sweepFolder } from './sweep.ts';
import { TableFilters } from './table-filters.ts';
import { dayStatsOf, statsOf } from './table-stats.ts';

/** A generation is sealed when it has so many records, or is so old. */
export interface Sealing {
  readonly rows: number;
  readonly after: Temporal.Duration;
}

export interface TableDeps {
  readonly storage: SegmentStorage;
  /** For records that are in files. */
  readonly seals: SealInstance;
  readonly backlog: InsertBacklog;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly days: Days;
  readonly folder: string;
  /** Writes a change of the catalog; false when the table is gone. */
  switchCatalog(change: CatalogSwitch, alongside?: Alongside): Promise<boolean>;
  /** The registry of a table that may be in other places, too. */
  registryOf?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  /** Filters in memory, of all tables. */
  readonly filters: FilterCache;
  /** Stores the bytes of the table's filters in the catalog. */
  writeIndexBytes(bytes: number): Promise<void>;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
  /** Reports a corrupt file, and gives the refusal that names it. */
  reportCorruption(file: string): ApiError;
}

export class LogTable {
  readonly spec: TableSpec;
  readonly storage: SegmentStorage;
  readonly arrivals: Arrivals<readonly Segment[]>;
  readonly compaction: Compaction;
  readonly filters: TableFilters;
  readonly moving: MovingSegments;
  readonly #deps: TableDeps;
  readonly #batches: Batches;
  readonly #generations: Generations;
  readonly #stagings = new Set<TableStaging>();
  readonly #sealed: SealedSegments;
  /** Of sealed records. */
  readonly #offsets: Map<string, number>;
  readonly #ids: RecordIds;
  /** While journals are read back. */
  #recovering: RecoveredLines | undefined;
  #isDropped = false;
  readonly #rotations = new Rounds(async () => {
    if (this.#isDropped) return;
    await this.#generations.rotate();
    this.#batches.leaves.resume();
  });
  readonly #leafStores = new Rounds(() =>
    this.#exclusively(async () => {
      const { leaves } = this;
      if (!this.#isDropped && (await this.#deps.switchCatalog(this.#learnt([])))) this.#batches.leaves.stored(leaves);
    }),
  );
  /** Changes of a table's segments never overlap. */
  readonly #changes = new Serial();

  private constructor(spec: TableSpec, deps: TableDeps, catalog: TableCatalog & { registry: ColumnRegistry }) {
    this.spec = spec;
    this.storage = deps.storage;
    this.#deps = deps;
    this.arrivals = new Arrivals(deps.clock);
    this.#batches = new Batches(spec.layout, catalog.registry, deps.days);
    this.#sealed = new SealedSegments(deps, catalog.segments);
    this.#offsets = new Map(catalog.offsets);
    this.#ids = new RecordIds(catalog.lastId);
    this.#generations = new Generations(spec, {
      ...deps,
      leaves: () => this.leaves,
      examine: (frame) => this.#examine(frame),
      idsUpTo: (id) => this.#ids.upTo(id),
    });
    const sealed = {
      ...deps,
      spec,
      segments: () => this.#sealed.all,
      columns: () => this.columns,
      registry: catalog.registry,
      hold: () => this.hold(),
    };
    this.filters = new TableFilters(sealed);
    this.moving = new MovingSegments({
      ...sealed,
      sealed: this.#sealed,
      ids: this.#ids,
      offsets: this.#offsets,
      learnt: (added) => this.#learnt(added),
      exclusively: (work) => this.#exclusively(work),
    });
    this.compaction = new Compaction({
      ...sealed,
      segments: () => this.moving.resting,
      isFresh: (day) => this.#generations.all.some(({ days }) => days.has(day)),
      replace: (removed, into) =>
        this.#exclusively(
          async () => !this.#isDropped && (await this.#sealed.replace({ ...this.#learnt([into]), removed })),
        ),
    });
  }

  /** Recovers journals that were not sealed, and removes files that are in no catalog. */
  static async open(spec: TableSpec, deps: TableDeps, catalog: TableCatalog): Promise<LogTable> {
    const learnt = catalog.columns === NO_COLUMNS ? NOTHING_LEARNT : deps.storage.columnsOf(catalog.columns);
    const shared = await deps.registryOf?.(spec.id, learnt);
    const registry = shared ?? new ColumnRegistry(learnt);
    const table = new LogTable(spec, deps, { ...catalog, registry });
    // A shared one may know some of the other place.
    if (!shared) table.#batches.leaves.stored(registry.leaves);
    await makeFolder(deps.folder);
    await sweepFolder(deps.folder, catalog.segments);
    await table.filters.open(catalog.indexBytes);
    table.#recovering = new RecoveredLines(table.#batches, spec.layout);
    await table.#generations.recover(catalog);
    table.#recovering = undefined;
    return table;
  }

  get stats(): TableStats {
    return statsOf(this.#sealed.all, this.#generations.all, this.filters.bytes);
  }

  /** What it holds of each day. */
  get days(): ReadonlyMap<string, DayStats> {
    return dayStatsOf(this.#sealed.all, this.#generations.all, (file) => this.filters.bytesOf(file));
  }

  get freshBytes(): number {
    return this.#generations.all.reduce((total, { bytes }) => total + bytes, 0);
  }

  /** Milliseconds that a start would take for its journals. */
  get readBackMs(): number {
    return this.#generations.all.reduce((total, { readBackMs }) => total + readBackMs, 0);
  }

  readonly hasFreshBefore = (time: number): boolean =>
    this.#generations.all.some(({ rows, minTime }) => rows > 0 && minTime < time);

  /** Also a few records are sealed after a while. */
  isDueForSealing(now: number): boolean {
    const newest = this.#generations.newest;
    return (
      newest !== undefined && newest.rows > 0 && now - newest.begun >= this.#deps.sealing.after.total('milliseconds')
    );
  }

  /** How far sources were read, by their names. */
  get offsets(): ReadonlyMap<string, number> {
    return furthest([this.#offsets, ...this.#generations.all.map(({ offsets }) => offsets)]);
  }

  /** Resolves when the records are durable; gives the first of their ids. */
  async append(parts: RecordBatch['parts'], offsets?: readonly SourceOffset[]): Promise<number> {
    const count = parts.reduce((total, part) => total + countOf(part), 0);
    const firstId = this.#ids.take(count);
    if (count === 0) return firstId;
    const { frame, sums } = await this.#batches.encode(parts, firstId, offsets);
    const generation = this.#generations.newest;
    if (this.#isDropped || !generation) throw new TableGone(this.spec.name);
    await generation.append(frame, this.#batches.facts(sums));
    this.arrivals.appended(parts, firstId);
    this.#storeLeaves();
    // The records are stored also when the new generation fails; until there is one the full one takes more.
    if (generation.rows >= this.#deps.sealing.rows || isFullOfLong(generation))
      await this.#sealFull().catch((error) => this.#deps.failed(error));
    return firstId;
  }

  /** Records that become part of the table together. */
  stage(): TableStaging {
    if (this.#isDropped) throw new TableGone(this.spec.name);
    const staging = new TableStaging(this.spec, {
      ...this.#deps,
      batches: this.#batches,
      takeIds: (count) => this.#ids.take(count),
      storeLeaves: () => this.#storeLeaves(),
      commit: (added, alongside) => this.#commitStaged(added, alongside),
      ended: () => void this.#stagings.delete(staging),
    });
    this.#stagings.add(staging);
    return staging;
  }

  get fileColumns(): FileColumns | undefined {
    return this.spec.layout === 'columnar' ? this.#batches.fileColumns : undefined;
  }

  /** Resolves when a snapshot has all records that were appended before the call. */
  readonly settled = () => this.#generations.settled();

  /** Refuses while a part of the records cannot be read. */
  snapshot(): Snapshot {
    this.#generations.requireWhole();
    return snapshotOf(this.#sealed.all, this.#generations.all, {
      columns: this.columns,
      leaves: this.leaves,
      reader: this.#sealed.hold(),
    });
  }

  /** Segments that there are now stay readable until it is disposed of. */
  readonly hold = (): Disposable => this.#sealed.hold();

  get learnt(): LearntColumns {
    return this.#batches.registry.learnt;
  }

  /** As they are now; the registry may learn more. */
  get columns(): StoredColumns {
    return this.#batches.registry.stored;
  }

  /** As they are now. */
  get leaves(): Leaves {
    return this.#batches.registry.leaves;
  }

  /** Whether values of a field may be in `_rest`, beside nulls. */
  isMixed(field: string): boolean {
    return this.#batches.registry.isMixed(field);
  }

  /** Begins a new generation; the full one is to be sealed. */
  rotate(): Promise<void> {
    return this.#rotations.join();
  }

  /** Seals every generation but the newest. One that could not be sealed stays readable and is tried again next time. */
  async seal(): Promise<void> {
    for (const generation of this.#generations.all.slice(0, -1))
      await generation.whileSealing(this.#exclusively(() => this.#seal(generation)));
  }

  /** Seals everything appended so far. */
  async flush(): Promise<void> {
    await this.rotate();
    await this.seal();
  }

  /** Removes the segments of whole days, if `isStill` says so in the same transaction. Fresh records are sealed first. */
  async removeSegments(isMeant: (segment: Segment) => boolean, isStill?: CatalogSwitch['isStill']): Promise<void> {
    await this.flush();
    await this.#exclusively(async () => {
      const removed = this.#sealed.all.filter(isMeant);
      if (removed.length > 0) await this.#sealed.replace({ added: [], removed, ...(isStill ? { isStill } : {}) });
    });
  }

  /** The row of the table is gone: removes its files when the last reader has left. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.close();
    this.#sealed.whenUnread(() => void this.#remove().catch((error) => this.#deps.failed(error)));
  }

  async close(): Promise<void> {
    for (const staging of this.#stagings) await staging.discard();
    await this.#rotations.ended();
    await this.#changes.ended();
    await this.#generations.close();
  }

  async #remove(): Promise<void> {
    for (const { hot } of this.#generations.all) await hot.drop();
    for (const { file } of this.#sealed.all) this.storage.forget(file);
    await rm(this.#deps.folder, { recursive: true, force: true });
  }

  async #sealFull(): Promise<void> {
    await this.rotate();
    this.seal().catch((error) => this.#deps.failed(error));
  }

  #examine(frame: Frame): RecoveredFrame {
    const isOfLines = frame.file === undefined && this.#recovering;
    const recovered = isOfLines ? isOfLines.examine(frame) : { frame, facts: this.#batches.examine(frame) };
    this.#ids.upTo(frame.firstId + recovered.facts.rows - 1);
    return recovered;
  }

  async #seal(generation: Generation): Promise<void> {
    const from = await generation.sealed();
    if (this.#isDropped || !this.#generations.all.includes(generation)) return;
    const { rows, recordBytes, days, number, isSorted, offsets } = generation;
    const ranges = dayRanges(days.keys(), this.#deps.days);
    const name = String(number).padStart(6, '0');
    const storage = from.isOfFiles ? await sealingStorage(this.storage, this.#deps.seals) : this.storage;
    const parts = { ...this.#deps, storage, spec: this.spec, columns: this.columns, registry: this.#batches.registry };
    const added = await seal({ from, rows, recordBytes, ranges, name, isSorted }, parts);
    const change = { ...this.#learnt(added), ...this.#generations.changeFor(generation), offsets };
    const { leaves } = this;
    if (!(await this.#deps.switchCatalog(change))) return;
    this.#batches.leaves.stored(leaves);
    this.#add(added);
    for (const [source, position] of furthest([this.#offsets, offsets])) this.#offsets.set(source, position);
    this.#generations.leave(generation);
    this.#sealed.whenUnread(() => void generation.hot.drop().catch((error) => this.#deps.failed(error)));
    await removeJournal(this.#deps.folder, generation.number);
  }

  async #commitStaged(added: readonly Segment[], alongside: Alongside): Promise<void> {
    await this.#exclusively(async () => {
      const { leaves } = this;
      const isWritten = await this.#deps.switchCatalog(this.#learnt(added), alongside);
      if (!isWritten) throw new TableGone(this.spec.name);
      this.#batches.leaves.stored(leaves);
      this.#add(added);
      if (added.length > 0) this.arrivals.committed(added);
    });
  }

  /** In the background: records that come meanwhile have their leaves in `_rest`. */
  #storeLeaves(): void {
    if (this.#batches.leaves.areNew) this.#leafStores.join().catch((error) => this.#leavesRefused(error));
  }

  #leavesRefused(error: unknown): void {
    if (!this.#batches.leaves.areNew) return;
    this.#batches.leaves.refused();
    this.#deps.failed(error);
  }

  /** New segments may have columns that the catalog does not know, and ids beyond its last one. */
  #learnt(added: readonly Segment[]): CatalogSwitch {
    const columns = this.storage.columnsText(this.#batches.registry.learnt);
    return { added, removed: [], columns, lastId: Math.max(0, ...added.map(({ maxId }) => maxId)) };
  }

  #add(added: readonly Segment[]): void {
    this.#sealed.add(added);
    this.compaction.onWritten(added);
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }
}
