// What the scheduler works with, and whom it tells.

import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Store } from '#store/store.ts';
import type { JobFailures, JobKind, NodeType } from './job-kind.ts';
import type { SchedulerSettings } from './settings.ts';
import type { CountedSlot, FailedRun } from './slot.ts';

export interface SchedulerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly zone: string;
  readonly node: string;
  /** Whether no other process can be at work on the database: whatever others have begun is nobody's then. */
  readonly isExclusive: boolean;
  readonly nodeTypes: readonly NodeType[];
  readonly settings: SchedulerSettings;
  readonly kinds: readonly JobKind[];
  readonly failures: JobFailures;
  readonly observer: SchedulerObserver;
}

export interface SchedulerObserver {
  /** Slots that were written down, and again those whose run has ended. */
  slots(slots: readonly CountedSlot[]): void;
  runFailed(run: FailedRun): void;
  /** A run of a schedule has begun, so long after its due time. */
  runStarted(milliseconds: number): void;
  failed(error: unknown): void;
}
