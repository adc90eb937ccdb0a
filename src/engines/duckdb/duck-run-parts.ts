// What a run on DuckDB is given to work with.

import type { Staging } from '#engines/engine.ts';
import type { RunParts } from '#engines/plan-run.ts';
import type { NamelessFile } from '#files/nameless.ts';
import type { Clock } from '#kernel/clock.ts';
import type { RunWork } from './at-work.ts';
import type { HostThreads } from './host-threads.ts';
import type { RunTables } from './run-tables.ts';
import type { DuckSession } from './session.ts';

type DuckModule = typeof import('@duckdb/node-api');

export interface DuckRunParts extends RunParts {
  readonly duck: DuckModule;
  readonly work: RunWork;
  readonly session: DuckSession;
  readonly tablesOfRun: RunTables;
  readonly clock: Clock;
  stage(table: string): Promise<Staging>;
  readonly threads: HostThreads;
  /** For rows that the host has made. */
  file(): Promise<NamelessFile>;
  /** Beside that of the run. */
  newSession(): Promise<DuckSession>;
  /** Gives back what it works with. */
  left(): Promise<void>;
}
