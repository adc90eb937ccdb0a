// Suites over a cluster of three nodes: one for the tests of a suite, started before the first of them.

import { afterAll, beforeAll, describe, inject } from 'vitest';
import { type ClickhouseServer, startClickhouse } from './clickhouse.ts';
import { type Cluster, type ClusterNode, type ClusterOptions, startCluster } from './cluster.ts';

/** What a suite works with; it is there once the first test runs. */
export interface ClusterSuite {
  readonly cluster: Cluster;
  readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
}

export function describeCluster(
  title: string,
  define: (suite: ClusterSuite) => void,
  { environment = {} }: Pick<ClusterOptions, 'environment'> = {},
): void {
  const skip = inject('clickhouse').reason || inject('postgresReason');
  describe.skipIf(skip)(title, () => {
    let server: ClickhouseServer | undefined;
    let started: Cluster | undefined;
    beforeAll(async () => {
      server = await startClickhouse();
      started = await startCluster({ server, environment });
    });
    afterAll(async () => {
      await started?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });
    const running = (): Cluster => {
      if (!started) throw new Error('the cluster of this suite has not started yet');
      return started;
    };
    define({
      get cluster() {
        return running();
      },
      get nodes() {
        return [running().node(0), running().node(1), running().node(2)] as const;
      },
    });
  });
}
