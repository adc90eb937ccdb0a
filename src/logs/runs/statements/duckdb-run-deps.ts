// The collaborators of a run on DuckDB.

import type { NamelessFile } from '#files/nameless.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogRecord, Staging } from '#logs/log-store.ts';
import type { RunDeps } from '#logs/run.ts';
import type { RunWork } from '#logs/runs/duckdb/execution-slots.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { HostThreads } from '#logs/runs/host/host-threads.ts';
import type { TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { LargeCharts } from './large-charts.ts';

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
