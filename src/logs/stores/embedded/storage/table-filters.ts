// The filters of a table's segments. They are made in the background once segments have come to rest, also for segments of
// earlier versions; a segment without one is read whole. A filter is found by its file beside that of the segment.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '#contract/errors.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { buildFilter } from '#logs/stores/embedded/text-index/build-filter.ts';
import type { SegmentFilter } from '#logs/stores/embedded/text-index/segment-filter.ts';
import type { ColumnRegistry, StoredColumns } from '#logs/stores/shared/columns.ts';
import type { Segment } from './catalog.ts';
import type { FilterCache } from './filter-cache.ts';
import { searchedColumns } from './records.ts';
import { filterFile, type SegmentStorage } from './segment-storage.ts';

interface TableFiltersDeps {
  readonly spec: TableSpec;
  readonly storage: SegmentStorage;
  readonly folder: string;
  /** Of all tables. */
  readonly filters: FilterCache;
  /** As they are now. */
  segments(): readonly Segment[];
  columns(): StoredColumns;
  readonly registry: Pick<ColumnRegistry, 'leaves'>;
  /** Segments that there are now stay readable until it is disposed of. */
  hold(): Disposable;
  /** Stores the bytes of all filters of the table. */
  writeIndexBytes(bytes: number): Promise<void>;
}

export class TableFilters {
  readonly #deps: TableFiltersDeps;
  /** Bytes of each filter by the file of its segment; 0 where none could be made. */
  readonly #made = new Map<string, number>();
  #recorded = 0;

  constructor(deps: TableFiltersDeps) {
    this.#deps = deps;
  }

  /** Looks for the filters that an earlier process made, and has recorded with so many bytes. */
  async open(recorded: number): Promise<void> {
    const { segments, folder } = this.#deps;
    for (const { file } of segments()) {
      const found = await stat(join(folder, filterFile(file))).catch(() => undefined);
      if (found) this.#made.set(file, found.size);
    }
    this.#recorded = recorded;
  }

  /** Of the segments that there are. */
  get bytes(): number {
    return this.#deps.segments().reduce((total, { file }) => total + this.bytesOf(file), 0);
  }

  /** Of the filter of one segment, by its file. */
  bytesOf(file: string): number {
    return this.#made.get(file) ?? 0;
  }

  /** What the catalog does not count yet; less than nothing where segments are gone. */
  get unrecordedBytes(): number {
    return this.bytes - this.#recorded;
  }

  /** Undefined where the segment has none. A damaged one is made again in the background. */
  async of(segment: Segment): Promise<SegmentFilter | undefined> {
    const { filters, folder, storage } = this.#deps;
    if (!this.#made.get(segment.file)) return undefined;
    const filter = await filters.filter(join(folder, segment.file), () => storage.readFilter(segment));
    if (!filter) this.#made.delete(segment.file);
    return filter;
  }

  /** Makes the filter of one segment that has none. Resolves to whether there was one; rejects with the reason of `gone`. */
  async makeNext(gone: AbortSignal): Promise<boolean> {
    const { segments } = this.#deps;
    const segment = segments().find(({ file }) => !this.#made.has(file));
    if (segment) await this.#make(segment, gone);
    for (const file of this.#made.keys()) if (!segments().some((one) => one.file === file)) this.#made.delete(file);
    await this.#record();
    return segment !== undefined;
  }

  async #make(segment: Segment, gone: AbortSignal): Promise<void> {
    const { file, rows, bytes } = segment;
    const { storage, spec, columns, registry, hold, filters, folder } = this.#deps;
    // The segment may be replaced meanwhile: its filter is removed with it when the last reader has left.
    using _reader = hold();
    // A segment whose filter fails is not tried again before the next start.
    this.#made.set(file, 0);
    try {
      using borrowed = await storage.borrow([segment]);
      const [path = ''] = borrowed.paths;
      const texts = searchedColumns({ layout: spec.layout, columns: columns(), leaves: registry.leaves });
      const content = await buildFilter({ instance: storage.instance, path, columns: texts, rows, bytes }, gone);
      this.#made.set(file, await storage.writeFilter(segment, content));
      filters.forget(join(folder, file));
    } catch (error) {
      // Corruption was reported where it was found.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async #record(): Promise<void> {
    const { bytes } = this;
    if (bytes === this.#recorded) return;
    await this.#deps.writeIndexBytes(bytes);
    this.#recorded = bytes;
  }
}
