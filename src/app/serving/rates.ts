// Wires the limits of how often accounts and addresses may ask, and the audit entries of what is counted: both hold over all nodes.

import { KeyRate } from '#access/limits/key-rate.ts';
import { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import { CountedEntries } from '#audit/counts/counted-entries.ts';
import { hoursOf } from '#audit/counts/hours.ts';
import { minutesOf } from '#audit/counts/minutes.ts';
import { RepeatedEntries } from '#audit/counts/repeated-entries.ts';
import { SharedCounts } from '#audit/counts/shared-counts.ts';
import type { Trail } from '#audit/trail.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { allEnded } from '#runtime/all-ended.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface RatesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly cluster: Cluster;
}

type RatesConfig = Pick<Config, 'failed-auth-limit' | 'key-rate' | 'key-burst'>;

export async function openRates(config: RatesConfig, { store, trail, cluster }: RatesDeps) {
  const { clock, numbers } = cluster;
  const counts = await SharedCounts.open({ store, trail, cluster, clock });
  const counted = { store, trail, counts, cluster, clock };
  const entriesOf = (kind: string) => new CountedEntries({ minutes: minutesOf({ ...counted, kind }), clock });
  const refusedKeys = entriesOf('refused-keys');
  const refusals = entriesOf('refusals');
  const repeats = new RepeatedEntries({ store, counts, clock, hours: hoursOf(counted) });
  return {
    refusals,
    repeats,
    attempts: new RefusedAttempts({ entries: refusedKeys, limit: config['failed-auth-limit'], clock, numbers }),
    keyRate: new KeyRate(clock, { rate: config['key-rate'], burst: config['key-burst'], numbers }),
    async close() {
      try {
        await allEnded([refusedKeys.close(), refusals.close(), repeats.close()]);
      } finally {
        await counts.close();
      }
    },
  };
}
