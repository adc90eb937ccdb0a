// Deps of the runner.

import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { JobFailures, JobKind } from '#scheduler/job-kind.ts';
import type { SchedulerSettings } from '#scheduler/settings.ts';
import type { Claimant } from '#scheduler/slots/claims.ts';
import type { CountedSlot, FailedRun, RunEnd } from '#scheduler/slots/slot.ts';
import type { Store } from '#store/store.ts';
import type { ActiveRun } from './active-run.ts';

export interface RunnerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly settings: SchedulerSettings;
  readonly failures: JobFailures;
  /** Called for recorded slots. */
  slots(slots: readonly CountedSlot[]): void;
  /** Called for a failed run. */
  runFailed(run: FailedRun): void;
  /** Called with the delay of a scheduled run after its due time. */
  runStarted(milliseconds: number): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
  /** Starts a pass of the loop. */
  wake(): void;
}

/** A run whose end is not recorded yet. */
export interface UnsettledRun {
  readonly run: ActiveRun;
  readonly end: RunEnd;
  readonly collected: unknown;
}
