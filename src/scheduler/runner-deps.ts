// What the runner works with, and whom it tells.

import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Store } from '#store/store.ts';
import type { ActiveRun } from './active-run.ts';
import type { Claimant } from './claims.ts';
import type { JobFailures, JobKind } from './job-kind.ts';
import type { SchedulerSettings } from './settings.ts';
import type { CountedSlot, FailedRun, RunEnd } from './slot.ts';

export interface RunnerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly claimant: Claimant;
  readonly settings: SchedulerSettings;
  readonly failures: JobFailures;
  /** Told of slots that were written down. */
  slots(slots: readonly CountedSlot[]): void;
  /** Told of a run that has failed. */
  runFailed(run: FailedRun): void;
  /** Told how long after its due time a run of the schedule has begun. */
  runStarted(milliseconds: number): void;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
  /** Something has changed that the loop must look at. */
  wake(): void;
}

/** An end that is not written down yet. */
export interface UnsettledRun {
  readonly run: ActiveRun;
  readonly end: RunEnd;
  readonly collected: unknown;
}
