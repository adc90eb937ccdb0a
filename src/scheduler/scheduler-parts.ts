// What the scheduler works with, and whom it tells.

import type { Clock } from '#kernel/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Store } from '#store/store.ts';
import type { JobKind, NodeType } from './job-kind.ts';
import type { SchedulerSettings } from './settings.ts';
import type { Outcome } from './slot.ts';

export interface SchedulerParts {
  readonly store: Store;
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly zone: string;
  readonly node: string;
  readonly nodeTypes: readonly NodeType[];
  readonly settings: SchedulerSettings;
  readonly kinds: readonly JobKind[];
  readonly observer: SchedulerObserver;
}

export interface SchedulerObserver {
  /** Slots that were written down, by what became of them. */
  slots(outcomes: readonly Outcome[]): void;
  /** A run of a schedule has begun, so long after its due time. */
  begun(milliseconds: number): void;
  failed(error: unknown): void;
}
