// Deps of the scheduler.

import type { Cluster } from '#cluster/cluster.ts';
import type { LeaseTimes } from '#cluster/lease-times.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Store } from '#store/store.ts';
import type { JobFailures, JobKind } from './job-kind.ts';
import type { SchedulerSettings } from './settings.ts';
import type { CountedSlot, FailedRun } from './slots/slot.ts';

export interface SchedulerDeps {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly zone: string;
  readonly cluster: Pick<Cluster, 'self' | 'nodes' | 'latest' | 'withOthers' | 'nextLook'>;
  /** That of the process. */
  readonly lease: string;
  /** Whether no other process uses the database: all other leases are dead then. */
  readonly isExclusive: boolean;
  readonly leaseTimes: LeaseTimes;
  readonly settings: SchedulerSettings;
  readonly kinds: readonly JobKind[];
  readonly failures: JobFailures;
  readonly observer: SchedulerObserver;
}

interface SchedulerObserver {
  /** Called for recorded slots, and again when their runs end. */
  slots(slots: readonly CountedSlot[]): void;
  runFailed(run: FailedRun): void;
  /** Called with the delay of a scheduled run after its due time. */
  runStarted(milliseconds: number): void;
  failed(error: unknown): void;
}
