// The collaborators of the embedded engine, and what a run needs of the places of its tables.

import type { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { FoundCorruption } from '#logs/corruption.ts';
import type { LogRecord, Staging, TableSpec } from '#logs/log-store.ts';
import type { EngineLimits } from '#logs/runs/statements/runs.ts';
import type { RunPlace, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { ColumnRegistry, LearntColumns } from '#logs/stores/shared/columns.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { Sealing } from './storage/table-deps.ts';

export interface DuckdbEngineDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
  readonly dataFolder: string;
  /** Where encrypted tables are in clear, and how much of them at most. */
  readonly memory: { readonly folder: string; readonly cacheBytes: number };
  readonly limits: EngineLimits;
  /** Whether rows of other places come in files without a name. */
  readonly readsNameless?: boolean;
  /** The registry of a table that may be in other places, too. */
  registryOf?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  readonly maintenancePeriod: Temporal.Duration;
  /** When fresh records are sealed. */
  readonly sealing: Sealing;
  /** Resting days that are older become dense; 0 for never. */
  readonly denseAfterDays: number;
  /** Reports a failure in the background; the work is tried again. */
  failed(error: unknown): void;
  /** Reports a table with fresh records that stays closed. */
  unopened(table: string, refusal: ApiError): void;
  /** Reports every corrupt file once. */
  onCorruption(found: FoundCorruption): void;
}

/** Where the tables of a run are read and written. */
export interface PlacesOfRun {
  tables(place: RunPlace): Promise<TablesOfRun>;
  stage(table: TableSpec): Promise<Staging>;
  append(table: TableSpec, records: readonly LogRecord[]): Promise<number>;
}
