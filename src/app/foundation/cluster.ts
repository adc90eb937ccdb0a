// Opens the cluster, and lets the parts that keep in memory what other nodes may change follow it.

import type { Accounts } from '#access/accounts/accounts.ts';
import { alone } from '#cluster/alone.ts';
import type { Cluster } from '#cluster/cluster.ts';
import type { OwnNode } from '#cluster/members/membership.ts';
import type { CountKind } from '#cluster/numbers.ts';
import { openShared } from '#cluster/shared.ts';
import type { Collectors } from '#collectors/collectors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface ClusterDeps {
  readonly store: Store;
  readonly node: OwnNode;
  readonly clock: Clock;
}

export interface ClusterObserver {
  /** Called with what another node has counted. */
  numberHeard?(kind: CountKind, count: number): void;
  /** Called when a change of another node could not be followed; it is tried again. */
  followingFailed?(error: unknown): void;
}

/** A database file belongs to one process; one of PostgreSQL may have several. */
export async function openCluster(
  { database }: Pick<Config, 'database'>,
  { store, node, clock }: ClusterDeps,
  observer: ClusterObserver,
): Promise<Cluster> {
  if (database === undefined) return alone({ node, clock });
  return await openShared({
    url: database,
    store,
    node,
    clock,
    heard: (kind, count) => observer.numberHeard?.(kind, count),
    failed: (error) => observer.followingFailed?.(error),
  });
}

/** Parts that keep in memory what other nodes may change. Stream rules follow by themselves (detection.ts). */
interface FollowingParts {
  readonly accounts: Accounts;
  readonly collectors: Collectors;
  readonly silentSources: SilentSources;
  readonly scheduler: Scheduler;
}

/** Follows changes since the start from here on. */
export function followChanges(cluster: Cluster, parts: FollowingParts): void {
  const { accounts, collectors, silentSources, scheduler } = parts;
  cluster.follow(['accounts'], async () => accounts.forget());
  cluster.follow(['loggers'], () => collectors.follow());
  cluster.follow(['loggers'], () => silentSources.changed());
  cluster.follow(['rules', 'scheduled-queries'], () => scheduler.others.jobsChanged());
  cluster.follow(['scheduler-leases'], () => scheduler.others.processEnded());
  cluster.follow(['stop-requests'], () => scheduler.others.stopsChanged());
  cluster.start();
}

export function clusterInstruments(metrics: Metrics) {
  const heard = metrics.counter(
    'vigil_node_numbers_total',
    'Requests and refused keys that other nodes have told this one, by kind.',
  );
  return {
    numberHeard(kind: CountKind, count: number) {
      heard.add({ kind }, count);
    },
  };
}
