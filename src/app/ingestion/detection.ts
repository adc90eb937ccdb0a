// Wires detection: batch rules as jobs, stream rules as watchers of arriving logs, alarms; and declares their metrics.

import type { Defects } from '#app/defects.ts';
import type { ServiceLog } from '#app/service-log.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { ALARM_OUTCOMES, type AlarmReport, Alarms } from '#detection/alarms/alarms.ts';
import { FailureAlarms } from '#detection/alarms/failure-alarms.ts';
import type { FailingObject } from '#detection/alarms/failure-store.ts';
import { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { RaiseResult } from '#detection/events/raise-events.ts';
import { batchRuleJob } from '#detection/rules/batch-rule-job.ts';
import { RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import type { BrokenRule } from '#detection/stream/active-rules.ts';
import { StreamRules } from '#detection/stream/stream-rules.ts';
import { Trials } from '#detection/stream/trials/trials.ts';
import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { ExceededLog } from '#ingest/intake.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';

interface DetectionDeps {
  readonly engine: LogStore;
  readonly counters: LoggerCounters;
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly cluster: Cluster;
}

type Instruments = Defects & ReturnType<typeof detectionInstruments>;

export async function openDetection(config: Config, deps: DetectionDeps, instruments: Instruments) {
  const zone = config['time-zone'];
  const alarms = new Alarms({
    ...deps,
    zone,
    targets: config['webhook-targets'],
    onReport: (report) => instruments.alarmed(report),
    failed: (error) => instruments.defect(error, 'alarms'),
  });
  const failures = new FailureAlarms({
    ...deps,
    zone,
    group: config['failure-alarm-group'],
    wake: () => alarms.wake(),
    changed: (thing, reason) => instruments.failing(thing, reason),
    groupMissing: (group, isAlarmDue) => instruments.failureGroupMissing(group, isAlarmDue),
    failed: (error) => instruments.defect(error, 'failure alarms'),
  });
  await failures.open();
  const silentSources = new SilentSources({
    ...deps,
    clock: deps.cluster.clock,
    numbers: deps.cluster.numbers,
    zone,
    group: config['failure-alarm-group'],
    lastLogOf: (guid) => deps.counters.lastLogOf(guid),
    lastRecordOf: lastRecords(deps),
    wake: () => alarms.wake(),
    changed: (source, reason) => instruments.failing(source, reason),
    failed: (error) => instruments.defect(error, 'silent sources'),
  });
  await silentSources.open();
  instruments.watchSilence(silentSources);
  async function raised(outcome: RaiseResult): Promise<void> {
    instruments.raised(outcome);
    alarms.wake();
    if (outcome.addresses) await streamRules.addressesChanged(outcome.addresses);
  }
  const streamRules = new StreamRules({
    ...deps,
    zone,
    failures,
    raised,
    caughtUp: async () => void (await Promise.all(followed.map((following) => following.caughtUp()))),
    onCapped: (rule) => instruments.capped(rule),
    broken: (rule) => instruments.broken(rule),
    ruleSteps: config['rule-steps'],
    stepsExceeded: (kind, logs) => instruments.stepsExceeded(kind, logs),
    failed: (error) => instruments.defect(error, 'stream rules'),
  });
  streamRules.open();
  const followed = [
    deps.cluster.follow(['rules', 'loggers'], () => streamRules.followRules()),
    deps.cluster.follow(['address-groups'], () => streamRules.followGroups()),
  ];
  const ruleSteps = config['rule-steps'];
  const trials = new Trials({ clock: deps.clock, zone, ruleSteps, lineBytes: config['line-limit'] });
  const batchRules = batchRuleJob({ ...deps, zone, onRaised: raised });
  return { alarms, failures, silentSources, trials, batchRules, streamRules };
}

/** Last records of tables by the clock of all nodes: the engine has that of its machine, which may be set meanwhile. */
function lastRecords({ engine, clock, cluster }: Pick<DetectionDeps, 'engine' | 'clock' | 'cluster'>) {
  const known = new Map<number, { readonly here: number; readonly shared: number }>();
  return (tableId: number): number | undefined => {
    const here = engine.arrivedAt(tableId);
    if (here === undefined) return undefined;
    const found = known.get(tableId);
    if (found?.here === here) return found.shared;
    const shared = cluster.clock.nowMs() - Math.max(0, clock.nowMs() - here);
    known.set(tableId, { here, shared });
    return shared;
  };
}

export function detectionInstruments(metrics: Metrics, log: ServiceLog) {
  const matches = metrics.counter('vigil_rule_matches_total', 'Matches of rules, by kind of rule.');
  const events = metrics.counter('vigil_rule_events_total', 'New events of rules, by kind of rule.');
  const tickets = metrics.counter('vigil_rule_tickets_total', 'Tickets raised by rules, by kind of rule.');
  const alarms = metrics.counter('vigil_alarms_total', 'Attempts to deliver an alarm to a webhook, by outcome.');
  for (const kind of RULE_KINDS) for (const one of [matches, events, tickets]) one.add({ kind }, 0);
  for (const outcome of ALARM_OUTCOMES) alarms.add({ outcome }, 0);
  return {
    ...stepInstruments(metrics, log),
    raised({ rule: { kind, guid }, missing, ...found }: RaiseResult) {
      matches.add({ kind }, found.matches);
      events.add({ kind }, found.events);
      tickets.add({ kind }, found.tickets);
      for (const thing of missing)
        log.error({ kind, rule: guid, missing: thing }, 'a rule refers to an object that does not exist');
    },
    capped({ guid, ...found }: { guid: string; matches: number; most: number }) {
      log.warn({ kind: 'stream', rule: guid, ...found }, 'a rule has more matches in one batch than may become events');
    },
    broken({ guid, name, reason }: BrokenRule) {
      log.error({ kind: 'stream', rule: guid, name, reason }, 'a rule cannot be evaluated until it is changed');
    },
    failing({ kind, guid, name }: FailingObject, reason: string | undefined) {
      if (reason === undefined) log.info({ kind, guid, name }, 'works again');
      else log.error({ kind, guid, name, reason }, 'begins to fail');
    },
    watchSilence(sources: Pick<SilentSources, 'count'>) {
      for (const kind of ['logger', 'table'] as const) {
        metrics.gauge(`vigil_silent_${kind}s`, `Number of ${kind}s whose expected records do not arrive.`, () =>
          sources.count(kind),
        );
      }
    },
    failureGroupMissing(group: string, isAlarmDue: boolean) {
      const effect = isAlarmDue ? 'an alarm was due and is not sent' : 'failures raise no alarms';
      log.warn({ group }, `failure-alarm-group names no alarm group: ${effect}`);
    },
    alarmed({ outcome, ...fields }: AlarmReport) {
      alarms.add({ outcome });
      if (outcome === 'failed') log.error(fields, 'an alarm could not be delivered');
      if (outcome === 'retried') log.warn(fields, 'an alarm could not be delivered and will be retried');
    },
  };
}

/** Rules that took too many steps for one log. */
function stepInstruments(metrics: Metrics, log: ServiceLog) {
  const exceeded = metrics.counter(
    'vigil_rule_steps_exceeded_total',
    'Logs that a rule did not evaluate because it took too many steps, by kind: stream rules, and rules of logger models.',
  );
  for (const kind of ['stream', 'model']) exceeded.add({ kind }, 0);
  return {
    stepsExceeded(kind: 'stream' | 'model', logs: number) {
      exceeded.add({ kind }, logs);
    },
    modelStepsExceeded({ table, id, rules, logs }: ExceededLog) {
      exceeded.add({ kind: 'model' }, logs);
      log.warn(
        { table, _id: id, rules, logs },
        'rules of a logger model took too many steps: the log is stored unchanged',
      );
    },
  };
}
