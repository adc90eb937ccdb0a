// Wires detection: batch rules as jobs, stream rules as what looks at arriving logs, and the alarms of what they find.

import { Alarms } from '#detection/alarms.ts';
import { batchRuleJob } from '#detection/batch-rule-job.ts';
import { FailureAlarms } from '#detection/failure-alarms.ts';
import type { RaiseResult } from '#detection/raise-events.ts';
import { StreamRules } from '#detection/stream/stream-rules.ts';
import { Trials } from '#detection/stream/trials.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { instruments } from './instruments.ts';

interface DetectionNeeds {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
}

export async function openDetection(config: Config, needs: DetectionNeeds, measured: ReturnType<typeof instruments>) {
  const zone = config['time-zone'];
  const alarms = new Alarms({
    ...needs,
    zone,
    targets: config['webhook-targets'],
    onReport: (report) => measured.alarmed(report),
    failed: (error) => measured.defect(error, 'alarms'),
  });
  const failures = new FailureAlarms({
    ...needs,
    zone,
    group: config['failure-alarm-group'],
    wake: () => alarms.wake(),
    changed: (thing, reason) => measured.failing(thing, reason),
    groupMissing: (group, isAlarmDue) => measured.failureGroupMissing(group, isAlarmDue),
    failed: (error) => measured.defect(error, 'failure alarms'),
  });
  await failures.open();
  async function onRaised(outcome: RaiseResult): Promise<void> {
    measured.raised(outcome);
    alarms.wake();
    if (outcome.addresses) await streamRules.addressesChanged(outcome.addresses);
  }
  const streamRules = new StreamRules({
    ...needs,
    zone,
    failures,
    raised: onRaised,
    onCapped: (rule) => measured.capped(rule),
    broken: (rule) => measured.broken(rule),
    ruleSteps: config['rule-steps'],
    stepsExceeded: (kind, logs) => measured.stepsExceeded(kind, logs),
    failed: (error) => measured.defect(error, 'stream rules'),
  });
  streamRules.open();
  const ruleSteps = config['rule-steps'];
  const trials = new Trials({ clock: needs.clock, zone, ruleSteps, lineBytes: config['line-limit'] });
  return { alarms, failures, trials, batchRules: batchRuleJob({ ...needs, zone, onRaised }), streamRules };
}
