// What a table is made of, and what those who read it hold.

import type { ApiError } from '#contract/errors.ts';
import type { Alongside } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Days } from '#kernel/days.ts';
import type { CatalogSwitch, Segment } from './catalog.ts';
import type { Columns } from './columns.ts';
import type { SegmentStorage } from './segment-storage.ts';

/** A generation is sealed when it has so many records, or is so old. */
export interface Sealing {
  readonly rows: number;
  readonly after: Temporal.Duration;
}

export interface TableDeps {
  readonly storage: SegmentStorage;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly days: Days;
  readonly folder: string;
  /** Writes a change of the catalog; false when the table is gone. */
  switchCatalog(change: CatalogSwitch, alongside?: Alongside): Promise<boolean>;
  /** Told what went wrong in the background; it is tried again. */
  failed(error: unknown): void;
  /** Makes the answer for a corrupt file. */
  reportCorruption(file: string): ApiError;
}

/** What a reader holds: nothing in it is removed before it is disposed of. */
export interface Snapshot extends Disposable {
  readonly segments: readonly Segment[];
  /** Names of hot tables with records, as SQL. */
  readonly hotTables: readonly string[];
  readonly columns: Columns;
}
