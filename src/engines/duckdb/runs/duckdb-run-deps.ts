// The collaborators of a run on DuckDB.

import type { HostThreads } from '#engines/duckdb/host/host-threads.ts';
import type { RunWork } from '#engines/duckdb/instance/execution-slots.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import type { LogRecord, Staging } from '#engines/engine.ts';
import type { RunDeps } from '#engines/plan-run.ts';
import type { NamelessFile } from '#files/nameless.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LargeCharts } from './large-charts.ts';
import type { TablesOfRun } from './tables-of-run.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

export interface DuckdbRunDeps extends RunDeps {
  readonly duckdb: DuckdbModule;
  readonly work: RunWork;
  readonly session: RunSession;
  readonly tablesOfRun: TablesOfRun;
  readonly clock: Clock;
  stage(table: string): Promise<Staging>;
  /** Stores records that the next query sees. */
  append(table: string, records: readonly LogRecord[]): Promise<void>;
  /** Of a file of a stored lookup. */
  lookupPath(file: string): string;
  readonly threads: HostThreads;
  /** Of all runs. */
  readonly largeCharts: LargeCharts;
  /** For rows that the host has made. */
  file(): Promise<NamelessFile>;
  /** Beside that of the run. */
  newSession(): RunSession;
  /** Releases snapshots, session and slots. */
  release(): Promise<void>;
}
