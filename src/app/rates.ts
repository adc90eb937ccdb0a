// Wires the limits of how often accounts and addresses may ask, and the audit entries of what is counted: both hold over all nodes.

import { KeyRate } from '#access/key-rate.ts';
import { RefusedAttempts } from '#access/refused-attempts.ts';
import { CountedEntries } from '#audit/counts/counted-entries.ts';
import { RepeatedEntries } from '#audit/counts/repeated-entries.ts';
import { SharedCounts } from '#audit/counts/shared-counts.ts';
import type { Trail } from '#audit/trail.ts';
import type { Nodes } from '#cluster/membership.ts';
import type { SharedNumbers } from '#cluster/numbers.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { allEnded } from '#runtime/all-ended.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface RatesDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly nodes: Nodes;
  /** The one that nodes share. */
  readonly clock: Clock;
  readonly numbers: SharedNumbers;
}

type RatesConfig = Pick<Config, 'failed-auth-limit' | 'key-rate' | 'key-burst'>;

export async function openRates(config: RatesConfig, { store, trail, nodes, clock, numbers }: RatesDeps) {
  const counts = await SharedCounts.open({ store, trail, nodes, clock });
  const counted = { store, trail, counts, clock };
  const refusedKeys = new CountedEntries({ ...counted, kind: 'refused-keys' });
  const refusals = new CountedEntries({ ...counted, kind: 'refusals' });
  const repeats = new RepeatedEntries(counted);
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
