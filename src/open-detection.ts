// Wires detection: batch rules as jobs, and the alarms of what they find.

import { Alarms } from '#detection/alarms.ts';
import { batchRuleKind } from '#detection/batch-kind.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { Config } from './config.ts';
import type { instruments } from './instruments.ts';

interface DetectionNeeds {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
}

export function openDetection(config: Config, needs: DetectionNeeds, measured: ReturnType<typeof instruments>) {
  const zone = config['time-zone'];
  const alarms = new Alarms({
    ...needs,
    zone,
    targets: config['webhook-targets'],
    reported: (report) => measured.alarmed(report),
    failed: (error) => measured.defect(error, 'alarms'),
  });
  const batchRules = batchRuleKind({
    zone,
    raised(raised) {
      measured.raised(raised);
      alarms.wake();
    },
  });
  return { alarms, batchRules };
}
