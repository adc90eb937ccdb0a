// The collaborators of a table.

import type { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import type { Alongside } from '#logs/log-store.ts';
import type { SealInstance } from '#logs/runs/duckdb/seal-instance.ts';
import type { ColumnRegistry, LearntColumns } from '#logs/stores/shared/columns.ts';
import type { CatalogSwitch } from './catalog.ts';
import type { FilterCache } from './filter-cache.ts';
import type { InsertBacklog } from './insert-backlog.ts';
import type { SegmentStorage } from './segment-storage.ts';

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
