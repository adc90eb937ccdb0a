// The collaborators of a table on ClickHouse.

import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Days } from '#kernel/time/days.ts';
import type { ColumnRegistry, LearntColumns } from '#logs/stores/shared/columns.ts';
import type { Store } from '#store/store.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import type { ArrivalNews } from './arrival-news.ts';
import type { Shards } from './shards.ts';

export interface TableDeps {
  readonly store: Store;
  readonly shards: Shards;
  readonly days: Days;
  readonly arrivalClock: ArrivalClock;
  readonly arrivalNews: ArrivalNews;
  /** Of the service. */
  readonly serviceClock: Clock;
  /** Of real time: for waits and deadlines. */
  readonly clock: Clock;
  /** How long the first batch of an insert waits for others. */
  readonly groupFor: Temporal.Duration;
  /** Its node takes records in. */
  readonly cluster: Cluster;
  /** The registry of a table that may be in other places, too. */
  registryOf?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  /** The same where another node has written the catalog. */
  renewedRegistry?(tableId: number, learnt: LearntColumns): Promise<ColumnRegistry>;
  /** Ends inserts that are in doubt. */
  readonly closing: AbortSignal;
  /** Deletes the records of an upload that is not committed. */
  abandon(upload: number): Promise<void>;
  /** The records of the table have changed. */
  changed(): void;
  /** Reports a failure in the background. */
  failed(error: unknown): void;
}
