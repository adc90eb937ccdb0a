// Wires the limits of how often accounts and addresses may ask, which hold over all nodes.

import { KeyRate } from '#access/key-rate.ts';
import { RefusedAttempts } from '#access/refused-attempts.ts';
import { CountedEntries } from '#audit/counted-entries.ts';
import type { Trail } from '#audit/trail.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { SharedNumbers } from '#store/shared-numbers.ts';

interface RatesDeps {
  readonly trail: Trail;
  readonly clock: Clock;
  readonly numbers: SharedNumbers;
}

export function openRates(config: Config, { trail, clock, numbers }: RatesDeps) {
  const [refusedKeys, refusals] = [new CountedEntries({ trail, clock }), new CountedEntries({ trail, clock })];
  return {
    refusals,
    attempts: new RefusedAttempts({ entries: refusedKeys, limit: config['failed-auth-limit'], clock, numbers }),
    keyRate: new KeyRate(clock, { rate: config['key-rate'], burst: config['key-burst'], numbers }),
    async close() {
      await refusedKeys.close();
      await refusals.close();
    },
  };
}
